-- Primitives of the GPU engine against the limits of the device: bench/gpu/run.py reads the times
-- of each entry for one and for many repetitions; the difference is the cost of a repetition.

def data (n: i64): [n]f32 = map (\i -> f32.i64 ((i * 7919) % 1024) * 0.001f32) (iota n)

-- ==
-- entry: copy_map
-- input { 268435456i64 1i32 }
-- input { 268435456i64 21i32 }
entry copy_map (n: i64) (times: i32): f32 =
  let xs = loop xs = data n for _i < times do map (\x -> x * 0.5f32 + 1f32) xs
  in xs[n / 2]

-- ==
-- entry: sum_squares
-- input { 268435456i64 1i32 }
-- input { 268435456i64 21i32 }
-- input { 65536i64 1i32 }
-- input { 65536i64 101i32 }
entry sum_squares (n: i64) (times: i32): f32 =
  let xs = data n
  in loop s = 0f32 for _i < times do f32.sum (map (\x -> x * x + s * 0.00001f32) xs)

-- ==
-- entry: scan_f32
-- input { 268435456i64 1i32 }
-- input { 268435456i64 11i32 }
entry scan_f32 (n: i64) (times: i32): f32 =
  let xs = loop xs = data n for _i < times do scan (+) 0f32 xs
  in xs[n / 2]

-- ==
-- entry: scan_i32
-- input { 268435456i64 1i32 }
-- input { 268435456i64 11i32 }
entry scan_i32 (n: i64) (times: i32): i32 =
  let xs = loop xs = map i32.i64 (iota n) for _i < times do scan (+) 0i32 xs
  in xs[n / 2]

-- ==
-- entry: row_sums
-- input { 16777216i64 16i64 1i32 }
-- input { 16777216i64 16i64 11i32 }
-- input { 1048576i64 256i64 1i32 }
-- input { 1048576i64 256i64 11i32 }
-- input { 65536i64 4096i64 1i32 }
-- input { 65536i64 4096i64 11i32 }
-- input { 256i64 1048576i64 1i32 }
-- input { 256i64 1048576i64 11i32 }
entry row_sums (n: i64) (m: i64) (times: i32): f32 =
  let xs = unflatten (data (n * m)) :> [n][m]f32
  in loop s = 0f32 for _i < times do
       let sums = map (\row -> f32.sum (map (\x -> x + s) row)) xs
       in sums[n / 2] * 0.000001f32

-- ==
-- entry: column_sums
-- input { 16384i64 16384i64 1i32 }
-- input { 16384i64 16384i64 11i32 }
entry column_sums (n: i64) (m: i64) (times: i32): f32 =
  let xs = unflatten (data (n * m)) :> [n][m]f32
  in loop s = 0f32 for _i < times do
       let sums = map (\column -> f32.sum (map (\x -> x + s) column)) (transpose xs)
       in sums[m / 2] * 0.000001f32

-- ==
-- entry: scatter_random
-- input { 67108864i64 1i32 }
-- input { 67108864i64 11i32 }
entry scatter_random (n: i64) (times: i32): f32 =
  let is = map (\i -> (i * 1000003) % n) (iota n)
  let vs = data n
  let xs = loop xs = replicate n 0f32 for _i < times do scatter xs is vs
  in xs[n / 2]

-- ==
-- entry: transposed
-- input { 16384i64 1i32 }
-- input { 16384i64 21i32 }
entry transposed (n: i64) (times: i32): f32 =
  let xs = unflatten (data (n * n)) :> [n][n]f32
  let ys = loop xs for _i < times do copy (transpose xs)
  in ys[n / 2, n / 3]

-- ==
-- entry: matmul
-- input { 4096i64 1i32 }
-- input { 4096i64 3i32 }
entry matmul (n: i64) (times: i32): f32 =
  let a = unflatten (data (n * n)) :> [n][n]f32
  let b = loop b = a for _i < times do
    map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
  in b[n / 2, n / 3]

-- ==
-- entry: jacobi
-- input { 16384i64 1i32 }
-- input { 16384i64 101i32 }
-- input { 256i64 1i32 }
-- input { 256i64 1001i32 }
entry jacobi (n: i64) (times: i32): f32 =
  let start = tabulate_2d n n (\i j -> f32.i64 ((i * 7 + j * 13) % 1024))
  let end = loop xs = start for _i < times do
    stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
      (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4])) (rep (rep ())) xs
  in end[n / 2, n / 3]

-- ==
-- entry: heat_3d
-- input { 512i64 1i32 }
-- input { 512i64 21i32 }
entry heat_3d (n: i64) (times: i32): f32 =
  let start = tabulate_3d n n n (\i j k -> f32.i64 ((i * 7 + j * 13 + k * 3) % 1024))
  let end = loop xs = start for _i < times do
    stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
      (\() v -> 0.1f32 * (v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6])) (rep (rep (rep ()))) xs
  in end[n / 2, n / 3, n / 4]
