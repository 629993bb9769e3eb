-- Products by tiles at the edges of all tile shapes, and rows that are not whole vectors.
-- ==
-- entry: product
-- input { 1i64 64i64 9i64 }
-- input { 31i64 64i64 9i64 }
-- input { 32i64 64i64 9i64 }
-- input { 33i64 64i64 9i64 }
-- input { 63i64 64i64 9i64 }
-- input { 65i64 64i64 9i64 }
-- input { 127i64 64i64 9i64 }
-- input { 128i64 64i64 9i64 }
-- input { 129i64 64i64 9i64 }
-- input { 255i64 64i64 9i64 }
-- input { 256i64 64i64 9i64 }
-- input { 257i64 64i64 9i64 }
-- input { 65i64 1i64 9i64 }
-- input { 65i64 2i64 9i64 }
-- input { 65i64 3i64 9i64 }
-- input { 65i64 4i64 9i64 }
-- input { 65i64 31i64 9i64 }
-- input { 65i64 33i64 9i64 }
-- input { 65i64 63i64 9i64 }
-- input { 65i64 65i64 9i64 }
-- input { 65i64 127i64 9i64 }
-- input { 65i64 128i64 9i64 }
-- input { 65i64 129i64 9i64 }
-- input { 65i64 132i64 9i64 }
-- input { 65i64 255i64 9i64 }
-- input { 65i64 257i64 9i64 }
-- input { 36i64 68i64 0i64 }
-- input { 36i64 68i64 1i64 }
-- input { 36i64 68i64 7i64 }
-- input { 36i64 68i64 8i64 }
-- input { 36i64 68i64 9i64 }
-- input { 36i64 68i64 15i64 }
-- input { 36i64 68i64 16i64 }
-- input { 36i64 68i64 17i64 }
-- input { 36i64 68i64 31i64 }
-- input { 36i64 68i64 32i64 }
-- input { 36i64 68i64 33i64 }
-- input { 36i64 68i64 47i64 }
-- input { 36i64 68i64 64i64 }
-- input { 131i64 137i64 19i64 }
-- input { 257i64 260i64 33i64 }
-- input { 256i64 128i64 32i64 }
-- input { 513i64 129i64 8i64 }
-- input { 0i64 5i64 3i64 }
-- input { 5i64 0i64 3i64 }
-- input { 2305i64 40i64 8i64 }
-- input { 513i64 260i64 16i64 }
-- input { 700i64 704i64 16i64 }
-- input { 65i64 8193i64 16i64 }
def numbers (n: i64) (m: i64) (seed: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 7919 + j * 104729 + seed) % 64) * 0.125f32)

entry product (n: i64) (m: i64) (k: i64) : [n][m]f32 =
  let a = numbers n k 1
  let b = numbers k m 2
  in map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

-- The same on transposed rows, then integers, which are brought element by element.
-- ==
-- entry: of_columns short
-- input { 257i64 131i64 17i64 }
-- input { 64i64 128i64 32i64 }
-- input { 33i64 129i64 7i64 }
entry of_columns (n: i64) (m: i64) (k: i64) : [n][m]f32 =
  let a = numbers k n 1
  let b = numbers m k 2
  in map (\r -> map (\c -> f32.maximum (map2 (+) r c)) b) (transpose a)

entry short (n: i64) (m: i64) (k: i64) : [n][m]i16 =
  let a = map (map i16.f32) (numbers n k 1)
  let b = map (map i16.f32) (numbers k m 2)
  in map (\r -> map (\c -> i16.sum (map2 (*) r c)) (transpose b)) a
