-- What is carried without a star takes no consumed place.
-- ==
-- error: each step consumes `ys`, but the body may give back `xs`
def main (n: i64) : ([]i64, []i64) =
  loop (xs: [n]i64, ys: *[n]i64) = (iota n, iota n) for _i < n do (copy xs, xs)
