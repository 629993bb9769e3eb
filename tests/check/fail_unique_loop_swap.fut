-- What takes the place of a consumed array is consumed.
-- ==
-- error: `ys` is used after it was consumed.*H3015
def main (n: i64) : i64 =
  let xs = iota n
  let ys = iota n
  let (a, b) = loop (a, b) = (xs, ys) for i < n do (b, a with [i] = 0)
  in a[0] + b[0] + ys[0]
