-- Histograms: over scalars, pairs and rows; indices outside are ignored.
-- tolerance: exact
-- ==
-- input { [0i64, 2i64, 0i64, -1i64, 3i64, 2i64] [1i32, 2i32, 3i32, 4i32, 5i32, 6i32] }
-- output { [14i32, 10i32, 18i32] [3i64, 3i64, 0i64] [[4i32, 6i32], [0i32, 0i32], [8i32, 10i32]] }
-- ==
-- entry: pairs
-- input { [0i64, 2i64, 0i64, -1i64, 3i64, 2i64] [1i32, 2i32, 3i32, 4i32, 5i32, 6i32] }
-- output { [3i32, 0i32, 6i32] [2i64, 0i64, 5i64] }
entry main [n] (is: [n]i64) (vs: [n]i32) =
  ( reduce_by_index (replicate 3 10) (+) 0 is vs
  , hist (+) 0 3 (map (% 3) (map (+ 1) is)) (replicate n 1i64)
  , hist (map2 (+)) [0, 0] 3 is (map (\v -> [v, v + 1]) vs)
  )

entry pairs [n] (is: [n]i64) (vs: [n]i32) =
  reduce_by_index (replicate 3 (0i32, 0i64))
                  (\(a, i) (b, j) -> if a >= b then (a, i) else (b, j))
                  (0, 0)
                  is
                  (zip vs (iota n))
  |> unzip
