-- Sums of 2 to 64 adjacent columns: rows one after another are read by vectors of four elements.
-- ==
-- entry: sums
-- input { 3i64 2i64 } output { [3i32, 6i32] }
-- input { 0i64 5i64 }
-- input { 1i64 64i64 }
-- input { 131073i64 2i64 }
-- input { 90001i64 3i64 }
-- input { 70001i64 4i64 }
-- input { 60001i64 5i64 }
-- input { 50003i64 6i64 }
-- input { 20001i64 15i64 }
-- input { 16385i64 16i64 }
-- input { 8191i64 33i64 }
-- input { 8191i64 50i64 }
-- input { 4500i64 63i64 }
-- input { 4500i64 64i64 }
-- input { 4500i64 65i64 }
entry sums (n: i64) (m: i64) : [m]i32 =
  let xs = tabulate_2d n m (\i j -> i32.i64 (i * (j + 1)))
  in map i32.sum (transpose xs)

-- Several operators, and numbers of each column that the cells read.
-- ==
-- entry: moments
-- input { 90001i64 3i64 }
-- input { 20001i64 14i64 }
-- input { 4500i64 61i64 }
entry moments (n: i64) (m: i64) : ([m]i32, [m]u32, [m]i32) =
  let xs = tabulate_2d n m (\i j -> i32.i64 ((i * 7919 + j * 31) % 1000))
  let ys = map (\j -> i32.i64 (j * j)) (iota m)
  in unzip3 (map2 (\y column ->
                     let zs = map (+ y) column
                     in (i32.sum zs, reduce_comm u32.max 0 (map u32.i32 zs), i32.minimum column))
                  ys
                  (transpose xs))

-- Two matrices; parts of rows, which do not lie one after another; floats.
-- ==
-- entry: products
-- input { 70001i64 5i64 }
entry products (n: i64) (m: i64) : ([m]i32, [4]i32) =
  let xs = tabulate_2d n m (\i j -> i32.i64 (i + j))
  let ys = tabulate_2d n m (\i j -> i32.i64 (i ^ j))
  let sums [k] (a: [n][k]i32) (b: [n][k]i32) = map2 (\c d -> i32.sum (map2 (*) c d)) (transpose a) (transpose b)
  in (sums xs ys, sums (map (\row -> row[:4]) xs) (map (\row -> row[1:5] :> [4]i32) ys))

-- ==
-- entry: floats
-- input { 90001i64 3i64 }
-- input { 16385i64 20i64 }
entry floats (n: i64) (m: i64) : [m]f32 =
  map f32.sum (transpose (tabulate_2d n m (\i j -> f32.i64 ((i + j) % 17))))

-- An element's code fails in one row.
-- ==
-- entry: fails
-- input { 90001i64 -1i32 }
-- input { 90001i64 89998i32 } error: division by zero
entry fails (n: i64) (row: i32) : [3]i32 =
  let xs = tabulate_2d n 3 (\i j -> i32.i64 i - row + i32.i64 (j - 1) * 200000)
  in map (\c -> i32.sum (map (\x -> 100 / x) c)) (transpose xs)
