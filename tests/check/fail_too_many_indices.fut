-- More indices than dimensions.
-- ==
-- error: 2 indices for a value of type `\[d0]i32`.*H3002
def main (xs: []i32) : i32 = xs[0, 1]
