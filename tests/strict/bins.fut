-- Histograms of floats in the order of their elements: whole arrays, rows, cells of a nest.
-- ==
-- entry: sums sums_f16 products exact rows pairs own many_bins
-- input { 0i64 }
-- input { 33i64 }
-- input { 3000i64 }
def x (i: i64) = 0.1f32 * f32.i64 (i * 7 % 1013) - 31

entry sums (n: i64) = reduce_by_index (replicate 17 0f32) (+) 0 (map (% 19) (iota n)) (tabulate n x)

entry sums_f16 (n: i64) =
  reduce_by_index (replicate 17 0f16) (+) 0 (map (% 19) (iota n)) (map (\i -> f16.f32 (x i / 8)) (iota n))

entry products (n: i64) =
  hist (*) 1f64 5 (map (\i -> i * i % 7 - 1) (iota n)) (map (\i -> 1 + f64.f32 (x i) / 4096) (iota n))

entry exact (n: i64) = hist f32.max (-f32.inf) 5 (map (% 6) (iota n)) (tabulate n x)

entry rows (n: i64) =
  reduce_by_index (replicate 4 [0, 0, 0f32])
                  (map2 (+))
                  [0, 0, 0]
                  (map (% 5) (iota n))
                  (map (\i -> [x i, x (i + 1), x (i + 2)]) (iota n))

entry pairs (n: i64) =
  hist (\(a, b) (c, d) -> (a + c, b * d))
       (0f32, 1f32)
       9
       (map (% 11) (iota n))
       (map (\i -> (x i, 1 + x i / 4096)) (iota n))

entry own (n: i64) =
  map (\i -> hist (+) 0f32 4 (map (\j -> (i + j) % 5) (iota 40)) (map (\j -> x (i * j)) (iota 40))) (iota n)

entry many_bins (n: i64) =
  reduce_by_index (replicate 2000 0.5f32) (+) 0 (map (\i -> i * i % 2100) (iota n)) (tabulate n x)
