-- The rows of a transposed matrix have another size.
-- ==
-- error: size `m` is not `n`: argument 3 of `map2` has type `\[m\]\[n\]i32`, but `\[n\]\[n\]i32` is needed.*H4001
def main [n] [m] (xss: [n][m]i32) = map2 (map2 (+)) xss (transpose xss)
