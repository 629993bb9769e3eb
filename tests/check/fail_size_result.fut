-- The result has another size than promised.
-- ==
-- error: size `n-1` is not `n`: the result of `main` has type `\[n-1]i32`, but `\[n]i32` is needed.*H4001
def main [n] (xs: [n]i32) : [n]i32 = tail xs
