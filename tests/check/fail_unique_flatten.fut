-- `flatten` gives a view.
-- ==
-- error: `xss` is used after it was consumed.*H3015
def main (xss: *[][]i32) : i32 =
  let ys = flatten xss
  let ys[0] = 1
  in ys[0] + xss[0, 0]
