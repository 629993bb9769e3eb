-- Parts of a tuple are those that it was made of.
-- ==
-- error: `ys` is used after it was consumed.*H3015
def main (xs: *[]i32) (ys: *[]i32) : i32 =
  let (_, b) = (xs, ys)
  let b[0] = 1
  in b[0] + ys[0]
