-- Constructors without their sign.
-- ==
-- error: help: a constructor begins with .#
type s = a | b i32
def f (x: i32) = x
