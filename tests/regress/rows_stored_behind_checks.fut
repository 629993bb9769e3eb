-- The GPU stored a row in front of the check of its place: a kernel of several versions, a sum of rows, a map.
def better (a: f32, i: i64) (b: f32, j: i64) : (f32, i64) = if a > b || (a == b && i < j) then (a, i) else (b, j)

-- ==
-- entry: versions
-- input { 3i64 20i64 4i64 } error: H7001
-- input { 3i64 20i64 400000000i64 } error: H7001
-- input { 3i64 20i64 -4000000000i64 } error: H7001
entry versions (t: i64) (s: i64) (k: i64) : ([s]f32, [][s]i64) =
  let trans = tabulate_2d s s (\i j -> f32.i64 ((i * 7 + j * 5) % 11))
  let p = map f32.i64 (iota s)
  let back = replicate t (replicate s 0)
  let best j = reduce better (-f32.inf, s) (map2 (\i q -> (q + trans[i, j], i)) (iota s) p)
  let (ps, bs) = unzip (tabulate s best)
  in (map2 (\j q -> q + trans[j, 0]) (iota s) ps, back with [k] = bs)

-- ==
-- entry: sums
-- input { 3i64 200i64 400000000i64 } error: H7001
-- input { 3i64 200i64 3i64 } error: H7001
entry sums (t: i64) (s: i64) (k: i64) : ([s]i64, [][s]i64) =
  let back = replicate t (replicate s 0)
  let a = tabulate_2d s 40 (\i j -> i * j % 13)
  let ys = map i64.sum a
  let zs = map2 (\a i -> a + ys[(i * 5) % s]) ys (iota s)
  in (zs, back with [k] = ys)

-- ==
-- entry: maps
-- input { 3i64 200i64 400000000i64 } error: H7001
-- input { 3i64 200i64 -1i64 } error: H7001
entry maps (t: i64) (s: i64) (k: i64) : ([s]i64, [][s]i64) =
  let back = replicate t (replicate s 0)
  let ys = map (\i -> i * 7 % 13) (iota s)
  let zs = map2 (\a i -> a + ys[(i * 5) % s]) ys (iota s)
  in (zs, back with [k] = ys)
