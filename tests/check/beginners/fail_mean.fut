-- A function that other languages have.
-- ==
-- error: unknown name .mean.*help: .f32.sum xs / f32.i64 .length xs.. is the mean
def main (xs: []f32) = mean xs
