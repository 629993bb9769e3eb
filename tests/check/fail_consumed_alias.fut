-- And under the names of its views.
-- ==
-- error: `column` is used after it was consumed.*H3015
def main (xss: *[][]i32) : i32 =
  let column = (transpose xss)[0]
  let yss = xss with [0, 0] = 1
  in column[0] + yss[0, 0]
