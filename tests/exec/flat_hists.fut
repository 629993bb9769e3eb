-- Histograms of nests whose cells want their positions.
-- ==
-- entry: bands
-- input { 5i64 3i64 }
-- output { [5i32, 4i32, 5i32] }
-- ==
-- entry: bands
-- input { 0i64 3i64 }
-- output { [0i32, 0i32, 0i32] }
-- ==
-- entry: columns
-- input { [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] }
-- output { [9i32, 12i32] }
-- ==
-- entry: bytes
-- input { 3i64 300i64 }
-- output { [132u8, 0u8, 0u8] }
entry bands (n: i64) (m: i64) : [m]i32 =
  let is = tabulate_2d n m (\i j -> if j == 2 && i == 4 then -1 else (i * 2 + j) % m)
  in reduce_by_index (replicate m 0) (+) 0 (flatten is) (replicate (n * m) 1)

entry columns [n] [m] (xss: [n][m]i32) : [m]i32 =
  let is = tabulate_2d n m (\_ j -> j)
  in reduce_by_index (replicate m 0) (+) 0 (flatten is) (flatten xss)

entry bytes (k: i64) (n: i64) : [k]u8 =
  let is = tabulate_2d n 3 (\i j -> i64.min 0 (i * j))
  in reduce_by_index (replicate k 0u8) (+) 0 (flatten is) (replicate (n * 3) 1)
