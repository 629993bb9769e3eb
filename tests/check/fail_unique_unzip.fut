-- `unzip` gives views of one array.
-- ==
-- error: `ys` is used after it was consumed.*H3015.*`ys` may share the memory of `pairs`
def main (pairs: *[](i32, i32)) : i32 =
  let (xs, ys) = unzip pairs
  let xs[0] = 1
  in xs[0] + ys[0]
