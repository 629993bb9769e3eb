-- The branches of `if` have different types.
-- ==
-- error: this branch has type `bool`, but `i32` is needed.*H3002
def main (x: i32) = if x > 0 then x else true
