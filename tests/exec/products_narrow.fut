-- Products of few rows or columns, and of few tiles with long rows, which are cut into chunks.
def data (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 79 + j * 104729) % 16))

-- Few columns, few rows, few of both.
-- ==
-- entry: product
-- input { 257i64 2i64 4096i64 }
-- input { 140i64 17i64 7501i64 }
-- input { 3i64 129i64 8191i64 }
-- input { 31i64 128i64 8192i64 }
-- input { 33i64 40i64 2049i64 }
entry product (n: i64) (m: i64) (k: i64) : [n][m]f32 =
  let a = data n k
  let b = data k m
  in map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

-- A matrix with itself, in another type.
-- ==
-- entry: with_itself
-- input { 40i64 2050i64 }
-- input { 5i64 300i64 }
entry with_itself (n: i64) (k: i64) : [n][n]i64 =
  let a = map (map i64.f32) (data k n)
  in map (\r -> map (\c -> i64.sum (map2 (*) r c)) (transpose a)) (transpose a)

-- Batches whose results lie the other way round.
-- ==
-- entry: batches
-- input { 2i64 130i64 6i64 8200i64 }
-- input { 3i64 24i64 25i64 2048i64 }
entry batches (b: i64) (n: i64) (m: i64) (k: i64) : [b][m][n]i32 =
  let as = map (\t -> map (map (\x -> i32.f32 x + i32.i64 t)) (data n k)) (iota b)
  let bs = map (map i32.f32) (data m k)
  in map (\a -> transpose (map (\r -> map (\c -> i32.maximum (map2 (+) r c)) bs) a)) as
