-- Several errors in one file are all reported.
-- ==
-- error: expected a declaration.*, found `\)` \[H2001].*expected an expression, found `\*` \[H2001].*expected `=` after the name, found `\)` \[H2001]
def a = (1, )) + 2
def b = (1 * (2 + * 3))
def main ) = 1
