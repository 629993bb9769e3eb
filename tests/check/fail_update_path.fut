-- A path names fields and indices.
-- ==
-- error: expected `\[` or a field after `with`, found `=` \[H2001].*expected a field name, found `=` \[H2001].*expected an index, found `]` \[H2001]
def f (x: {a: i32}) = x with = 1
def g (x: {a: i32}) = x with a. = 1
def h (x: []i32) = x with [] = 1
