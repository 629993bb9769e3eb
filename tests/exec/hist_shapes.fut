-- Histograms of many elements in few and many bins, of rows, of tuples, in two dimensions.
-- ==
-- entry: few
-- input { 100000i64 7i64 }
-- input { 5i64 0i64 }
entry few (n: i64) (k: i64) : [k]i64 =
  reduce_by_index (replicate k 1) (+) 0 (map (\i -> i * i % (k + 1)) (iota n)) (iota n)

-- ==
-- entry: many
-- input { 30000i64 20011i64 }
entry many (n: i64) (k: i64) : [k]i32 =
  hist i32.max i32.lowest k (map (\i -> i * 7919 % k) (iota n)) (map i32.i64 (iota n))

-- ==
-- entry: floats
-- input { 5000i64 }
entry floats (n: i64) : [3]f32 =
  hist (+) 0 3 (map (% 4) (iota n)) (map (\i -> f32.i64 (i % 8)) (iota n))

-- ==
-- entry: rows
-- input { 1000i64 5i64 }
entry rows (n: i64) (m: i64) : [4][m]i64 =
  reduce_by_index (replicate 4 (replicate m 0))
                  (map2 (+))
                  (replicate m 0)
                  (map (% 5) (iota n))
                  (tabulate_2d n m (\i j -> i + j))

-- ==
-- entry: pairs
-- input { 3000i64 }
entry pairs (n: i64) : ([5]i64, [5]i64) =
  let arg (a, i) (b, j) = if a > b || (a == b && i < j) then (a, i) else (b, j) : (i64, i64)
  in unzip (hist arg (-1, -1) 5 (map (% 5) (iota n)) (map (\i -> (i * 37 % 101, i)) (iota n)))

-- ==
-- entry: planes
-- input { 2000i64 }
entry planes (n: i64) : [3][4]i64 =
  reduce_by_index_2d (replicate 3 (replicate 4 0)) (+) 0 (map (\i -> (i % 4, i % 5)) (iota n)) (iota n)

-- ==
-- entry: fails
-- input { 10i64 } error: .
entry fails (n: i64) : [3]i64 = hist (+) 0 3 (iota n) (map (\i -> 10 / (i - 5)) (iota n))
