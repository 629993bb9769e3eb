-- Two updates of one array.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (xs: *[]i32) : ([]i32, []i32) =
  let ys = xs with [0] = 1
  let zs = xs with [0] = 2
  in (ys, zs)
