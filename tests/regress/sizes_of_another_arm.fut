-- An array of one arm made its size a natural number in the other arm too, whose negative index
-- then had no check.
-- ==
-- input { -1i64 [1i64, 2i64, 3i64] } error: H7001
-- input { 4i64 [1i64, 2i64, 3i64] } output { 14i64 }
def main [k] (n: i64) (xs: [k]i64) : i64 =
  if n >= 0 then i64.sum (map (\i -> i * i) (iota n)) else if n < k then xs[n] else 0
