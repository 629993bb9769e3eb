-- A step of an elimination stores the column below the pivot, and all behind it, where they lie: each
-- cell reads its own element, the pivot, and its row's and column's, which are apart from its slice.

entry main [n] (k: i64) (a: *[n][n]f64) : *[n][n]f64 =
  let a = a with [k + 1:, k] = map (/ a[k, k]) a[k + 1:, k]
  in a with [k + 1:, k + 1:] = map2 (\f row -> map2 (\x y -> x - f * y) row a[k, k + 1:]) a[k + 1:, k] a[k + 1:, k + 1:]
