-- `transpose` gives a view.
-- ==
-- error: `xss` is used after it was consumed.*H3015
def main (xss: *[][]i32) : i32 =
  let yss = transpose xss
  let yss[0, 0] = 1
  in yss[0, 0] + xss[0, 0]
