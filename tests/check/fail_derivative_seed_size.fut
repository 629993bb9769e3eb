-- The weights of an array are as many as its elements.
-- ==
-- error: size .n.1. is not .n.: argument 3 of .vjp..*H4001
def main [n] (xs: [n]f64) (w: [n + 1]f64) = vjp (map (* 2)) xs w
