-- The same in segments: rows, columns, cells of nests.
-- ==
-- entry: rows rows_f16 scans scans_f16 columns scans_of_columns products normalised deep few_elements own_lengths in_a_loop
-- input { 1i64 1i64 }
-- input { 3i64 100i64 }
-- input { 40i64 33i64 }
-- input { 300i64 5i64 }
def x (i: i64) (j: i64) = 0.1f32 * f32.i64 ((i * 131 + j * 7) % 1013) - 31
def matrix (n: i64) (m: i64) = tabulate_2d n m x

entry rows n m = map f32.sum (matrix n m)
entry rows_f16 n m = map (\r -> f16.sum (map (\v -> f16.f32 (v / 8)) r)) (matrix n m)
entry scans n m = map (scan (+) 0) (matrix n m)
entry scans_f16 n m = map (\r -> scan (*) 1 (map (\v -> f16.f32 (1 + v / 1024)) r)) (matrix n m)
entry columns n m = map f32.sum (transpose (matrix n m))
entry scans_of_columns n m = transpose (map (scan (+) 0) (transpose (matrix n m)))

entry products n m =
  let a = matrix n m
  in map (\r -> map (\c -> f32.sum (map2 (*) r c)) (take (i64.min 7 n) a)) a

entry normalised n m =
  map (\r -> let s = f32.sum r in map (\v -> v / (s + 0.3)) (scan (+) 0 r)) (matrix n m)

entry deep n m =
  map (\r -> f32.sum (map (\v -> f32.sum (map (\k -> v / f32.i64 (k + 1)) (iota 9))) r)) (matrix n m)

-- Rows that begin and end where the cell says.
entry own_lengths n m =
  let flat = flatten (matrix n m)
  in map (\i -> f32.sum flat[i * m / 2:i * m + i % (m + 1)]) (iota n)

entry few_elements n m =
  map (\r -> (f32.sum [r[0], r[0] / 3, r[0] / 7], scan (+) 0 [r[0], r[0] / 3, r[0] / 7])) (matrix n m)

entry in_a_loop n m =
  loop a = matrix n m for _i < 3i32 do map (\r -> let s = f32.sum r in map (\v -> v - s / 7) r) a
