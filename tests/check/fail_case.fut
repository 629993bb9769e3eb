-- A `match` needs a case, and a case its arrow; both are reported.
-- ==
-- error: expected `case` after the value to match, found `def` \[H2001].*expected `->` after the pattern, found `=` \[H2001]
def f (x: i32) = match x
def g (x: i32) = match x case 1 = 2
