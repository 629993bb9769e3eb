-- The combinators of the prelude, one entry each (docs/prelude.md, soacs).
-- ==
-- entry: maps
-- input { [1i32, 2i32, 3i32] }
-- output { [3i32, 5i32, 7i32] [2i32, 4i32, 6i32] [3i32, 6i32, 9i32] [4i32, 8i32, 12i32]
--          [5i32, 10i32, 15i32] }
-- input { empty([0]i32) }
-- output { empty([0]i32) empty([0]i32) empty([0]i32) empty([0]i32) empty([0]i32) }
entry maps [n] (xs: [n]i32) : ([n]i32, [n]i32, [n]i32, [n]i32, [n]i32) =
  ( map1 (\x -> 2 * x + 1) xs
  , map2 (+) xs xs
  , map3 (\a b c -> a + b + c) xs xs xs
  , map4 (\a b c d -> a + b + c + d) xs xs xs xs
  , map5 (\a b c d e -> a + b + c + d + e) xs xs xs xs xs
  )

-- ==
-- entry: reductions
-- input { [3i32, -1i32, 4i32] }
-- output { 6i32 6i32 [3i32, 2i32, 6i32] [0i32, 3i32, 2i32] }
-- input { empty([0]i32) }
-- output { 0i32 0i32 empty([0]i32) empty([0]i32) }
entry reductions [n] (xs: [n]i32) : (i32, i32, [n]i32, [n]i32) =
  (reduce (+) 0 xs, reduce_comm (+) 0 xs, scan (+) 0 xs, exscan (+) 0 xs)

-- ==
-- entry: quantifiers
-- input { [3i32, 1i32, 4i32] } output { true true false false }
-- input { [-3i32, 1i32] } output { false true true false }
-- input { empty([0]i32) } output { true false false true }
entry quantifiers (xs: []i32) : (bool, bool, bool, bool) =
  (all (> 0) xs, any (> 0) xs, any (< 0) xs, all (> 9) xs)

-- ==
-- entry: filters
-- input { [5i32, 2i32, 8i32, 1i32, 9i32] }
-- output { [5i32, 8i32, 9i32] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- input { [1i32] } output { empty([0]i32) }
entry filters (xs: []i32) : []i32 = filter (> 4) xs

-- ==
-- entry: filter_rows
-- input { [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] }
-- output { [[3i32, 4i32], [5i32, 6i32]] }
entry filter_rows [n] [m] (xs: [n][m]i32) : [][m]i32 = filter (\row -> i32.sum row > 4) xs

-- ==
-- entry: partitions
-- input { [5i32, 2i32, 8i32, 1i32, 9i32] }
-- output { [5i32, 8i32, 9i32] [2i32, 1i32] [8i32, 9i32] [5i32, 2i32] [1i32] }
-- input { empty([0]i32) }
-- output { empty([0]i32) empty([0]i32) empty([0]i32) empty([0]i32) empty([0]i32) }
entry partitions (xs: []i32) : ([]i32, []i32, []i32, []i32, []i32) =
  let (a, b) = partition (> 4) xs
  let (c, d, e) = partition2 (> 5) (> 1) xs
  in (a, b, c, d, e)

-- ==
-- entry: scatters
-- input { [0i64, 4i64, 2i64, -1i64] [7i32, 8i32, 9i32, 10i32] }
-- output { [7i32, 0i32, 9i32] [7i32, 1i32, 9i32] [7i32, 5i32, 9i32] }
entry scatters [n] (is: [n]i64) (vs: [n]i32) : ([3]i32, [3]i32, [3]i32) =
  (scatter (replicate 3 0) is vs, write is vs (replicate 3 1), spread 3 5 is vs)

-- ==
-- entry: scatters_nd
-- input { [0i64, 1i64, 2i64, 0i64] [1i64, 0i64, 0i64, -1i64] [7i32, 8i32, 9i32, 10i32] }
-- output { [[0i32, 7i32], [8i32, 0i32]]
--          [[[0i32, 0i32], [7i32, 0i32]], [[0i32, 8i32], [0i32, 0i32]]] }
entry scatters_nd [n] (is: [n]i64) (js: [n]i64) (vs: [n]i32) : ([2][2]i32, [2][2][2]i32) =
  ( scatter_2d (replicate 2 (replicate 2 0)) (zip is js) vs
  , scatter_3d (replicate 2 (replicate 2 (replicate 2 0))) (zip3 is js is) vs
  )

-- ==
-- entry: histograms
-- input { [0i64, 2i64, 0i64, 5i64, -1i64] [1i32, 2i32, 3i32, 4i32, 5i32] }
-- output { [4i32, 0i32, 2i32] [14i32, 10i32, 12i32] }
-- input { empty([0]i64) empty([0]i32) }
-- output { [0i32, 0i32, 0i32] [10i32, 10i32, 10i32] }
entry histograms [n] (is: [n]i64) (vs: [n]i32) : ([3]i32, [3]i32) =
  (hist (+) 0 3 is vs, reduce_by_index (replicate 3 10) (+) 0 is vs)

-- ==
-- entry: histograms_nd
-- input { [0i64, 1i64, 0i64, 2i64] [1i64, 0i64, 1i64, 0i64] [7i32, 8i32, 9i32, 10i32] }
-- output { [[1i32, 17i32], [9i32, 1i32]]
--          [[[0i32, 0i32], [16i32, 0i32]], [[0i32, 8i32], [0i32, 0i32]]] }
entry histograms_nd [n] (is: [n]i64) (js: [n]i64) (vs: [n]i32) : ([2][2]i32, [2][2][2]i32) =
  ( reduce_by_index_2d (replicate 2 (replicate 2 1)) (+) 0 (zip is js) vs
  , reduce_by_index_3d (replicate 2 (replicate 2 (replicate 2 0))) (+) 0 (zip3 is js is) vs
  )
