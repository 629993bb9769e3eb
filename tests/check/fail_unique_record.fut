-- Fields of records are followed by name.
-- ==
-- error: `r` is used after it was consumed.*H3015
def main (xs: *[]i32) (ys: *[]i32) : i32 =
  let r = {a = xs, b = ys}
  let c = r.b with [0] = 1
  in c[0] + r.b[0]
