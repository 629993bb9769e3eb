-- A name that only modules have: those of the most usual types are named first.
-- ==
-- error: unknown name `sum`, did you mean `i32.sum` or `f64.sum`.*H3001
module m = {def twice (x: i32) = 2 * x}
def main (xs: []f32) = sum xs
