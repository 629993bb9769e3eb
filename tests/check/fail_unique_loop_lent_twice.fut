-- Nor does it stay beside one.
-- ==
-- error: gives back `xs` twice|may give back `xs`
def main (n: i64) : ([]i64, []i64) =
  loop (xs: [n]i64, ys: *[n]i64) = (iota n, iota n) for _i < n do (xs, xs)
