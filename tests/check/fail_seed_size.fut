-- Weights of another size than the result, a tangent of another size than the argument.
-- ==
-- error: size `2` is not `3`: argument 3 of `vjp` has type `\[2\]f64`, but `\[3\]f64` is needed.*H4001
def doubled (xs: [3]f64) = map (* 2) xs
def main (xs: [3]f64) = vjp doubled xs [1.0, 2.0]
