-- What is imported is a path in quotes.
-- ==
-- error: expected the path to import, in quotes, found `a` \[H2001].*expected the path to import, in quotes, found `a` \[H2001]
import a
module m = import a
