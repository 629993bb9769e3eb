-- An `if` without its other branch.
-- ==
-- error: help: an .if. has a value in either case: .if c then a else b
def main (x: i32) = if x > 0 then 1
