-- A row replicated between the levels of a nest is read where it stands: every innermost cell made a
-- matrix of its own, of n * m * k * m * k elements in all.
-- ==
-- entry: steps
-- input { [1i64, 2i64] 3i64 2i64 }
-- output { [[[1i64, 2i64], [1i64, 2i64], [1i64, 2i64]], [[2i64, 3i64], [2i64, 3i64], [2i64, 3i64]]] }
-- input { [1i64, 2i64, 3i64, 4i64] 0i64 2i64 }
-- output { empty([4][0][2]i64) }
-- ==
-- entry: corner
-- input { 4i64 300i64 200i64 }
-- output { 203i64 }
entry steps [n] (xs: [n]i64) (m: i64) (k: i64) : [n][m][k]i64 =
  map (\x -> loop t = replicate m (map (+ x) (iota k)) for i < 1i64 do map (map (+ i)) t) xs

entry corner (n: i64) (m: i64) (k: i64) : i64 =
  (steps (iota n) m k)[n - 1, m - 1, k - 1] + 1
