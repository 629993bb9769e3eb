-- More indices than dimensions.
-- ==
-- error: 2 indices for a value of type .*help: one index for each dimension: this array has 1
def main (xs: []i32) = xs[1, 1]
