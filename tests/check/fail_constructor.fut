-- A sum type lists constructors, each once, and `#` touches its name.
-- ==
-- error: expected a constructor such as `#name`, found `b` \[H2001].*a second constructor with the name `a` \[H2004].*expected an expression, found `#` \[H2001]
type t = #a i32 | b
type u = #a i32 | #b | #a
def f = # a 1
