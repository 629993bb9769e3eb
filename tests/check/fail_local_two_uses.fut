-- A local function without type parameters has one type for all its uses.
-- ==
-- error: argument 1 of `g` has type `f64 -> f64`, but `f64 -> bool` is needed.*H3002
def main [n] (xs: [n]f64) = let g f = map f xs in (g (> 0), g (\x -> x * 2))
