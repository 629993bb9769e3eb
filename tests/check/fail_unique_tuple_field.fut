-- A field of a tuple, too.
-- ==
-- error: `ys` is used after it was consumed.*H3015
def main (xs: *[]i32) (ys: *[]i32) : i32 =
  let t = (xs, ys)
  let b = t.1 with [0] = 1
  in b[0] + ys[0]
