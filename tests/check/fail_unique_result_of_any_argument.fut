-- Any of the arguments.
-- ==
-- error: `ys` is used after it was consumed.*H3015
def f [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (+) xs ys

def main [n] (xs: *[n]i32) (ys: *[n]i32) : i32 =
  let zs = f xs ys
  let zs[0] = 1
  in zs[0] + ys[0]
