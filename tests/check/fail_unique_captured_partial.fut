-- A partial application has captured its arguments.
-- ==
-- error: `add` is used after it was consumed.*H3015
def plus (xs: []i32) (i: i64) : i32 = xs[i]

def main (xs: *[]i32) : i32 =
  let add = plus xs
  let ys = xs with [0] = 1
  in add 0 + ys[0]
