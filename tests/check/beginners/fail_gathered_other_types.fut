-- A tuple whose parts are no arguments of the function.
-- ==
-- error: ^error: argument 1 of .replicate. has type .\(\[d0\]i32, number\)., but .i64. is needed .H3002\S(?!.*help)
def main (xs: []i32) = replicate (xs, 3)
