-- The function of a stencil takes the cell of an invariant first: one error for all of its indices.
-- ==
-- error: ^error: an index for a value of type .f32. .H3002.*help: only arrays have elements; the function of a stencil takes[^\n]*\s*$
def main (xs: []f32) = stencil_1d [-1, 0, 1] (\v -> v[0] + v[1]) xs
