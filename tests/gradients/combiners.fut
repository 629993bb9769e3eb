-- Reductions, scans and histograms with operators of all kinds. `halo test --derivatives` checks them.

-- ==
-- entry: reduce_lin
-- input { [1.0, 2.0, 3.0, 0.5] [0.5, 1.5, -1.0, 2.0] }
entry reduce_lin [n] (xs: [n]f64) (ys: [n]f64) = reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs ys)

-- ==
-- entry: reduce_mat
-- input { [[1.0, 2.0, 3.0, 0.5], [0.5, 1.5, -1.0, 2.0], [1.0, 0.0, 2.0, 1.0]] }
entry reduce_mat [n] (xs: [n][4]f64) =
  reduce (\a b -> let A = unflatten (a :> [2 * 2]f64) let B = unflatten (b :> [2 * 2]f64) in flatten (map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose B)) A) :> [4]f64) [1.0, 0.0, 0.0, 1.0] xs

-- ==
-- entry: reduce_mul
-- input { [1.0, 2.0, 0.0, 0.5] }
-- input { [1.0, 2.0, 4.0, 0.5] }
-- input { [1.0, 0.0, 0.0, 0.5] }
entry reduce_mul [n] (xs: [n]f64) = f64.product xs

-- ==
-- entry: scan_mat5
-- input { [[1.0, 2.0, 3.0, 0.5, 0.1], [0.5, 1.5, -1.0, 2.0, 0.2], [1.0, 0.0, 2.0, 1.0, 0.3]] }
entry scan_mat5 [n] (xs: [n][5]f64) =
  scan (\(a, b, c, d, e) (p, q, r, s, t) -> (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e + t * a)) (1.0, 0.0, 0.0, 1.0, 0.0) (map (\x -> (x[0], x[1], x[2], x[3], x[4])) xs)

-- ==
-- entry: scan_rows
-- input { [[1.0, 2.0, 3.0], [0.5, 1.5, -1.0], [1.0, 0.5, 2.0]] }
entry scan_rows [n] [m] (xs: [n][m]f64) = scan (map2 (*)) (replicate m 1) xs

-- ==
-- entry: scan_mixed
-- input { [1.0, 2.0, 3.0, 0.5] [0i64, 1i64, 0i64, 1i64] }
entry scan_mixed [n] (xs: [n]f64) (fs: [n]i64) =
  map (.1) (scan (\(f, a) (g, b) -> (f | g, if g == 1 then b else a * b)) (0, 1) (zip fs xs))

-- ==
-- entry: hist_any
-- input { [1.0, 2.0, 3.0, 0.5] [0i64, 1i64, 0i64, 1i64] }
entry hist_any [n] (xs: [n]f64) (is: [n]i64) = reduce_by_index (replicate 2 (1, 0)) (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) is (map (\x -> (x, x * x)) xs)

-- ==
-- entry: hist_rows
-- input { [[1.0, 2.0], [3.0, 0.5], [2.0, 2.5]] [0i64, 1i64, 0i64] }
entry hist_rows [n] [m] (xs: [n][m]f64) (is: [n]i64) = reduce_by_index (replicate 2 (replicate m 1)) (map2 (*)) (replicate m 1) is xs

-- ==
-- entry: hist_mul
-- input { [1.0, 2.0, 0.0, 0.5, 0.0, 3.0, 0.0] [0i64, 1i64, 0i64, 1i64, 2i64, 2i64, 2i64] }
entry hist_mul [n] (xs: [n]f64) (is: [n]i64) = reduce_by_index (replicate 4 2) (*) 1 is xs

-- ==
-- entry: hist_minmax
-- input { [1.0, 2.0, 0.0, 0.5, 0.25, 3.0, 0.75] [0i64, 1i64, 0i64, 1i64, 2i64, 2i64, 2i64] }
entry hist_minmax [n] (xs: [n]f64) (is: [n]i64) = (reduce_by_index (replicate 4 0.6) f64.min f64.inf is xs, reduce_by_index (replicate 4 0.6) f64.max f64.lowest is xs)

-- ==
-- entry: scan_segments
-- input { [1.0, 2.0, 3.0, 0.5, 0.0, 4.0] [false, true, false, false, true, false] }
entry scan_segments [n] (xs: [n]f64) (fs: [n]bool) =
  map (.1) (scan (\(f, a) (g, b) -> (f || g, if g then b else a * b)) (false, 1) (zip fs xs))

-- ==
-- entry: scan_max_rows
-- input { [[1.0, 2.0], [3.0, 0.5], [2.0, 2.5]] }
entry scan_max_rows [n] [m] (xs: [n][m]f64) = scan (map2 (\a b -> a + b + a * b)) (replicate m 0) xs

-- Bins without elements, elements without bins, what was there before.
-- ==
-- entry: hist_plane
-- input { [1.0, 2.0, 3.0, 0.5, 1.5] [0i64, 1i64, 0i64, 7i64, 0i64] [0i64, 2i64, 0i64, 0i64, -1i64] [[2.0, 3.0, 4.0], [0.5, 0.0, 1.5]] }
entry hist_plane [n] (xs: [n]f64) (is: [n]i64) (js: [n]i64) (d: [2][3]f64) =
  reduce_by_index_2d (copy d) (\a b -> a + b + a * b) 0 (zip is js) xs

-- ==
-- entry: hist_min_rows
-- input { [[1.0, 2.0], [3.0, 0.5], [2.0, 2.5]] [0i64, 1i64, 0i64] }
entry hist_min_rows [n] [m] (xs: [n][m]f64) (is: [n]i64) = reduce_by_index (replicate 2 (replicate m 4)) (map2 f64.min) (replicate m 9) is xs

-- ==
-- entry: hist_of_cells
-- input { [[1.0, 2.0, 3.0], [3.0, 0.5, 1.5]] [0i64, 1i64, 0i64] }
entry hist_of_cells [n] [m] (xs: [n][m]f64) (is: [m]i64) = map (\row -> reduce_by_index (replicate 2 1) (*) 1 is row) xs
