-- A tuple is used as a whole after a part was consumed.
-- ==
-- error: `t` is used after it was consumed.*H3015
def main (xs: *[]i32) (ys: *[]i32) =
  let t = (xs, ys)
  let b = t.1 with [0] = 1
  in (t, b)
