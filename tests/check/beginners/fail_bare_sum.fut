-- A reduction that each type has.
-- ==
-- error: help: each type has its own: .f32.sum.
def main (xs: [][]f32) = map sum xs
