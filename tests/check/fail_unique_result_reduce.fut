-- The result of `reduce` may be an element.
-- ==
-- error: `xss` is used after it was consumed.*H3015
def main [n] [m] (xss: *[n][m]i32) (ne: *[m]i32) : i32 =
  let ys = reduce (map2 (+)) ne xss
  let ys[0] = 1
  in xss[0, 0] + ys[0]
