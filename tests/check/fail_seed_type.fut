-- Weights of another type than the result: the weights are marked, not the function.
-- ==
-- error: argument 3 of `vjp` has type `f32`, but `f64` is needed.*H3002.\s+-->.*:4:61
def main (xs: [3]f64) (w: f32) = vjp (\ys -> f64.sum ys) xs w
