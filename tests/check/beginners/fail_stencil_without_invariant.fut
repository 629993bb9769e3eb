-- The function of a stencil takes the cell of an invariant first.
-- ==
-- error: help: only arrays have elements; the function of a stencil takes
def main (xs: []f32) = stencil_1d [-1, 0, 1] (\v -> v[0] + v[1]) xs
