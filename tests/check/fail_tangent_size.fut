-- A tangent of another size than the argument.
-- ==
-- error: size `4` is not `3`: argument 3 of `jvp` has type `\[4\]f64`, but `\[3\]f64` is needed.*H4001
def main (xs: [3]f64) = jvp (\ys -> map (* 2) ys) xs (replicate 4 1)
