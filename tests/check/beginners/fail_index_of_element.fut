-- An element has no elements; no stencil is near.
-- ==
-- error: help: one index for each dimension
def main (xs: []i32) = xs[0][0]
