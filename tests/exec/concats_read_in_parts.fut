-- Maps read parts of concatenations that other maps, scans and loops make, slices of them, and rows.
-- ==
-- entry: forces
-- input { empty([0]i32) } error: H7002
-- input { [5] } output { [5] }
-- input { [1, 4, 9, 16, 25, 36] } output { [5, 7, 12, 19, 28, 26] }
-- ==
-- entry: rolling
-- input { empty([0]i64) 0i64 } output { [0i64] }
-- input { [3i64] 1i64 } output { [3i64] }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 2i64 } output { [3i64, 5i64, 7i64, 9i64] }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 6i64 } output { empty([0]i64) }
-- ==
-- entry: rows
-- input { [[1, 2, 3]] } output { [[3, 6, 9]] }
-- input { [[1, 2], [10, 20], [100, 200]] } output { [[12, 24], [111, 222], [210, 420]] }
-- ==
-- entry: padded
-- input { empty([0][2]i32) 7 } output { [[14, 14]] }
-- input { [[1, 2], [3, 4]] 7 } output { [[8, 9], [4, 6], [10, 11]] }
-- ==
-- entry: kept
-- input { [1, 2, 3] } output { [0, 2, 4, 6] [0, 4, 16, 36] }
-- ==
-- entry: cells
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 3, 5], [4, 9, 11]] }
-- ==
-- entry: counted
-- input { [5, 1, 7, 2] [3, 4] } output { [11, 15, 7, 9] }
-- input { [1, 2] [3] } output { [7] }

-- The parts on both sides come from one map.
entry forces [n] (xs: [n]i32) : [n]i32 =
  let f = map2 (\a b -> b - a) (init xs) (tail xs)
  let right = f ++ [0] :> [n]i32
  let left = [0] ++ map (\v -> -v) f :> [n]i32
  in map3 (\l r x -> l + r + x + 1 - i32.bool (n == 1)) left right xs

-- Slices of a scan behind a literal.
entry rolling [n] (xs: [n]i64) (w: i64) =
  let s = [0] ++ scan (+) 0 xs
  let k = n - w + 1
  in map2 (-) (s[w:] :> [k]i64) (s[:k] :> [k]i64)

-- Rows beside copies of the first and the last one.
entry rows [n] [m] (a: [n][m]i32) : [n][m]i32 =
  let up = [a[0]] ++ init a :> [n][m]i32
  let down = tail a ++ [a[n - 1]] :> [n][m]i32
  in map3 (map3 (\u x d -> u + x + d)) up a down

-- A row of one value in front, and rows that a map makes.
entry padded [n] [m] (a: [n][m]i32) (v: i32) : [][]i32 =
  let k = n + 1
  let low = [replicate m v] ++ map (map (+ 0)) a :> [k][m]i32
  let high = map (map (* 1)) a ++ [replicate m v] :> [k][m]i32
  in map2 (map2 (+)) low high

-- A concatenation that is a result as well.
entry kept [n] (xs: [n]i32) =
  let ys = [0] ++ map (* 2) xs
  in (ys, map (\y -> y * y) ys)

-- In cells.
entry cells [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  map (\xs -> map2 (+) xs ([0] ++ init xs :> [m]i32)) xss

-- A part whose length only the device knows.
entry counted [n] [m] (xs: [n]i32) (ys: [m]i32) =
  let big = map (* 2) (filter (> 2) xs)
  in map (+ 1) (big ++ map (* 2) ys)

-- Rows that were filled before their source changed.
-- ==
-- entry: filled literal
-- input { [1, 2, 3] [[4, 5, 6], [7, 8, 9]] }
entry filled [n] [m] (row0: [m]i32) (xs: [n][m]i32) : ([m]i32, [][m]i32) =
  let row = scan (+) 0 row0
  let f = replicate 2 row
  let row2 = row with [0] = 100
  in (row2, map (map (+ 1)) (f ++ xs))

entry literal [n] [m] (row0: [m]i32) (xs: [n][m]i32) : ([m]i32, [][m]i32) =
  let row = scan (+) 0 row0
  let f = [row]
  let row2 = scatter row (iota m) (replicate m 7)
  in (row2, map (map (+ 1)) (f ++ xs))
