-- Only the parts with a star.
-- ==
-- error: `ys` is a parameter without `\*`
def main (xs: *[]i32, ys: []i32) : ([]i32, []i32) = (xs with [0] = 1, ys with [0] = 1)
