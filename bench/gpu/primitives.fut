-- Primitives of the GPU engine against the limits of the device: bench/gpu/run reads the times of
-- each entry for few and for many repetitions; the difference is the cost of a repetition.
import "/prelude/fft"

def data (n: i64) : [n]f32 = map (\i -> f32.i64 ((i * 7919) % 1024) * 0.001f32) (iota n)

-- ==
-- entry: copy_map
-- input { 268435456i64 1i32 }
-- input { 268435456i64 21i32 }
entry copy_map (n: i64) (times: i32) : f32 =
  let xs = loop xs = data n for _i < times do map (\x -> x * 0.5f32 + 1f32) xs
  in xs[n / 2]

-- ==
-- entry: fused_chain
-- input { 268435456i64 1i32 }
-- input { 268435456i64 21i32 }
entry fused_chain (n: i64) (times: i32) : f32 =
  let xs =
    loop xs = data n
    for _i < times do
      map (\x -> x + 1f32) xs |> map (\x -> x * 0.5f32) |> map2 (\i x -> x - f32.i64 (i & 3)) (iota n)
  in xs[n / 2]

-- ==
-- entry: map_i8
-- input { 268435456i64 1i32 }
-- input { 268435456i64 41i32 }
entry map_i8 (n: i64) (times: i32) : i8 =
  let xs = loop xs = map i8.i64 (iota n) for _i < times do map (\x -> x * 3i8 + 1i8) xs
  in xs[n / 2]

-- ==
-- entry: map_f64
-- input { 134217728i64 1i32 }
-- input { 134217728i64 21i32 }
entry map_f64 (n: i64) (times: i32) : f64 =
  let xs = loop xs = map f64.i64 (iota n) for _i < times do map (\x -> x * 0.5 + 1) xs
  in xs[n / 2]

-- ==
-- entry: sum_squares
-- input { 268435456i64 1i32 }
-- input { 268435456i64 21i32 }
-- input { 65536i64 1i32 }
-- input { 65536i64 101i32 }
entry sum_squares (n: i64) (times: i32) : f32 =
  let xs = data n
  in loop s = 0f32 for _i < times do f32.sum (map (\x -> x * x + s * 0.00001f32) xs)

-- ==
-- entry: scan_f32
-- input { 268435456i64 1i32 }
-- input { 268435456i64 11i32 }
entry scan_f32 (n: i64) (times: i32) : f32 =
  let xs = loop xs = data n for _i < times do scan (+) 0f32 xs
  in xs[n / 2]

-- ==
-- entry: scan_i32
-- input { 268435456i64 1i32 }
-- input { 268435456i64 11i32 }
entry scan_i32 (n: i64) (times: i32) : i32 =
  let xs = loop xs = map i32.i64 (iota n) for _i < times do scan (+) 0i32 xs
  in xs[n / 2]

-- ==
-- entry: row_sums
-- input { 67108864i64 4i64 1i32 }
-- input { 67108864i64 4i64 11i32 }
-- input { 8659208i64 31i64 1i32 }
-- input { 8659208i64 31i64 11i32 }
-- input { 16777216i64 16i64 1i32 }
-- input { 16777216i64 16i64 11i32 }
-- input { 1048576i64 256i64 1i32 }
-- input { 1048576i64 256i64 11i32 }
-- input { 65536i64 4096i64 1i32 }
-- input { 65536i64 4096i64 11i32 }
-- input { 256i64 1048576i64 1i32 }
-- input { 256i64 1048576i64 11i32 }
entry row_sums (n: i64) (m: i64) (times: i32) : f32 =
  let xs = unflatten (data (n * m)) :> [n][m]f32
  in loop s = 0f32
     for _i < times do
       let sums = map (\row -> f32.sum (map (\x -> x + s) row)) xs
       in sums[n / 2] * 0.000001f32

-- ==
-- entry: column_sums
-- input { 16384i64 16384i64 1i32 }
-- input { 16384i64 16384i64 11i32 }
entry column_sums (n: i64) (m: i64) (times: i32) : f32 =
  let xs = unflatten (data (n * m)) :> [n][m]f32
  in loop s = 0f32
     for _i < times do
       let sums = map (\column -> f32.sum (map (\x -> x + s) column)) (transpose xs)
       in sums[m / 2] * 0.000001f32

-- ==
-- entry: row_scans
-- input { 16777216i64 16i64 1i32 }
-- input { 16777216i64 16i64 11i32 }
-- input { 1048576i64 256i64 1i32 }
-- input { 1048576i64 256i64 11i32 }
-- input { 65536i64 4096i64 1i32 }
-- input { 65536i64 4096i64 11i32 }
-- input { 256i64 1048576i64 1i32 }
-- input { 256i64 1048576i64 11i32 }
entry row_scans (n: i64) (m: i64) (times: i32) : f32 =
  let xs =
    loop xs = (unflatten (data (n * m)) :> [n][m]f32)
    for _i < times do
      map (scan (\a b -> a * 0.5f32 + b) 0f32) xs
  in xs[n / 2, m / 2]

-- ==
-- entry: scatter_near
-- input { 67108864i64 1i32 }
-- input { 67108864i64 11i32 }
entry scatter_near (n: i64) (times: i32) : f32 =
  let is = map (\i -> i ^ 5) (iota n)
  let vs = data n
  let xs = loop xs = replicate n 0f32 for _i < times do scatter xs is vs
  in xs[n / 2]

-- ==
-- entry: counts
-- input { 268435456i64 1i64 1i32 }
-- input { 268435456i64 1i64 11i32 }
-- input { 268435456i64 16i64 1i32 }
-- input { 268435456i64 16i64 11i32 }
-- input { 268435456i64 256i64 1i32 }
-- input { 268435456i64 256i64 11i32 }
-- input { 268435456i64 4096i64 1i32 }
-- input { 268435456i64 4096i64 11i32 }
-- input { 268435456i64 65536i64 1i32 }
-- input { 268435456i64 65536i64 11i32 }
-- input { 268435456i64 1048576i64 1i32 }
-- input { 268435456i64 1048576i64 11i32 }
entry counts (n: i64) (bins: i64) (times: i32) : i32 =
  let xs = map (\i -> i32.u32 ((u32.i64 i * 2654435761) >> 12) % i32.i64 bins) (iota n)
  let hs =
    loop hs = replicate bins 0i32
    for _i < times do
      reduce_by_index hs (+) 0 (map i64.i32 xs) (replicate n 1)
  in hs[bins / 2]

-- ==
-- entry: counts_f32
-- input { 268435456i64 1i64 1i32 }
-- input { 268435456i64 1i64 5i32 }
-- input { 268435456i64 16i64 1i32 }
-- input { 268435456i64 16i64 5i32 }
-- input { 268435456i64 256i64 1i32 }
-- input { 268435456i64 256i64 5i32 }
-- input { 268435456i64 1024i64 1i32 }
-- input { 268435456i64 1024i64 5i32 }
-- input { 268435456i64 4096i64 1i32 }
-- input { 268435456i64 4096i64 5i32 }
-- input { 268435456i64 65536i64 1i32 }
-- input { 268435456i64 65536i64 3i32 }
-- input { 268435456i64 1048576i64 1i32 }
-- input { 268435456i64 1048576i64 3i32 }
entry counts_f32 (n: i64) (bins: i64) (times: i32) : f32 =
  let xs = map (\i -> i32.u32 ((u32.i64 i * 2654435761) >> 12) % i32.i64 bins) (iota n)
  let hs =
    loop hs = replicate bins 0f32
    for _i < times do
      reduce_by_index hs (+) 0 (map i64.i32 xs) (replicate n 1)
  in hs[bins / 2]

-- ==
-- entry: skewed_counts
-- input { 268435456i64 256i64 1i32 }
-- input { 268435456i64 256i64 11i32 }
-- input { 268435456i64 1048576i64 1i32 }
-- input { 268435456i64 1048576i64 11i32 }
entry skewed_counts (n: i64) (bins: i64) (times: i32) : i32 =
  let xs = map (\i -> if i % 16 != 0 then 1 else i32.u32 ((u32.i64 i * 2654435761) >> 12) % i32.i64 bins) (iota n)
  let hs =
    loop hs = replicate bins 0i32
    for _i < times do
      reduce_by_index hs (+) 0 (map i64.i32 xs) (replicate n 1)
  in hs[bins / 2]

-- ==
-- entry: sorted
-- input { 67108864i64 1i32 }
-- input { 67108864i64 5i32 }
entry sorted (n: i64) (times: i32) : u32 =
  let xs = map (\i -> u32.i64 i * 2654435761) (iota n)
  let ys = loop xs for _i < times do u32.sort (map (* 2654435761) xs)
  in ys[n / 2]

-- ==
-- entry: sorted_f32
-- input { 67108864i64 1i32 }
-- input { 67108864i64 5i32 }
entry sorted_f32 (n: i64) (times: i32) : f32 =
  let xs = data n
  let ys = loop xs for _i < times do f32.sort (map (\x -> 1 - x * 1.3f32) xs)
  in ys[n / 2]

-- ==
-- entry: sorted_f64
-- input { 67108864i64 1i32 }
-- input { 67108864i64 5i32 }
entry sorted_f64 (n: i64) (times: i32) : f64 =
  let xs = map f64.f32 (data n)
  let ys = loop xs for _i < times do f64.sort (map (\x -> 1 - x * 1.3f64) xs)
  in ys[n / 2]

-- ==
-- entry: sorted_u64
-- input { 67108864i64 1i32 }
-- input { 67108864i64 5i32 }
entry sorted_u64 (n: i64) (times: i32) : u64 =
  let xs = map (\i -> u64.i64 i * 11400714819323198485) (iota n)
  let ys = loop xs for _i < times do u64.sort (map (* 11400714819323198485) xs)
  in ys[n / 2]

-- ==
-- entry: sorted_by_key
-- input { 67108864i64 1i32 }
-- input { 67108864i64 5i32 }
entry sorted_by_key (n: i64) (times: i32) : f32 =
  let xs = zip (map (\i -> u32.i64 i * 2654435761) (iota n)) (data n)
  let ys = loop xs for _i < times do u32.sort_by_key (\(key, _) -> key * 2654435761) xs
  in ys[n / 2].1

-- ==
-- entry: sorted_pairs
-- input { 67108864i64 1i32 }
-- input { 67108864i64 5i32 }
entry sorted_pairs (n: i64) (times: i32) : f32 =
  let xs = zip (map (\i -> u32.i64 i * 2654435761) (iota n)) (data n)
  let ys =
    loop xs for _i < times do
      u32.sort_by_key (.0) (map (\(key, value) -> (key * 2654435761, value)) xs)
  in ys[n / 2].1

-- ==
-- entry: filtered
-- input { 67108864i64 1i32 }
-- input { 67108864i64 11i32 }
entry filtered (n: i64) (times: i32) : i64 =
  let xs = map (\i -> i32.u32 ((u32.i64 i * 2654435761) >> 12)) (iota n)
  in loop s = 0
     for _i < times do
       let ys = filter (\x -> x % 3 != i32.i64 (s & 1)) xs
       in s + i64.i32 ys[length ys / 2]

-- ==
-- entry: partitioned
-- input { 67108864i64 1i32 }
-- input { 67108864i64 11i32 }
entry partitioned (n: i64) (times: i32) : i64 =
  let xs = map (\i -> i32.u32 ((u32.i64 i * 2654435761) >> 12)) (iota n)
  in loop s = 0
     for _i < times do
       let (ys, zs) = partition (\x -> x % 3 != i32.i64 (s & 1)) xs
       in s + i64.i32 (ys[length ys / 2] + zs[length zs / 2])

-- ==
-- entry: partitioned_3
-- input { 67108864i64 1i32 }
-- input { 67108864i64 11i32 }
entry partitioned_3 (n: i64) (times: i32) : i64 =
  let xs = map (\i -> i32.u32 ((u32.i64 i * 2654435761) >> 12)) (iota n)
  in loop s = 0
     for _i < times do
       let (ys, zs, ws) = partition2 (\x -> x % 3 == i32.i64 (s & 1)) (\x -> x % 3 == 2) xs
       in s + i64.i32 (ys[length ys / 2] + zs[length zs / 2] + ws[length ws / 2])

-- ==
-- entry: small_loop
-- input { 256i64 1i32 }
-- input { 256i64 1001i32 }
entry small_loop (n: i64) (times: i32) : f32 =
  let start = tabulate_2d n n (\i j -> f32.i64 ((i * 7 + j * 13) % 1024))
  let end =
    loop xs = start
    for _i < times do
      stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
                 (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
                 (rep (rep ()))
                 xs
  in end[n / 2, n / 3]

-- ==
-- entry: scatter_random
-- input { 67108864i64 1i32 }
-- input { 67108864i64 11i32 }
entry scatter_random (n: i64) (times: i32) : f32 =
  let is = map (\i -> (i * 1000003) % n) (iota n)
  let vs = data n
  let xs = loop xs = replicate n 0f32 for _i < times do scatter xs is vs
  in xs[n / 2]

-- ==
-- entry: rotated
-- input { 268435456i64 1i32 }
-- input { 268435456i64 21i32 }
entry rotated (n: i64) (times: i32) : f32 =
  let xs = loop xs = data n for _i < times do rotate 5 xs
  in xs[n / 2]

-- ==
-- entry: reversed
-- input { 268435456i64 1i32 }
-- input { 268435456i64 21i32 }
entry reversed (n: i64) (times: i32) : f32 =
  let xs = loop xs = data n for _i < times do copy (reverse xs)
  in xs[n / 2]

-- ==
-- entry: joined
-- input { 268435456i64 1i32 }
-- input { 268435456i64 21i32 }
entry joined (n: i64) (times: i32) : f32 =
  let xs =
    loop xs = data n
    for _i < times do
      let half = n / 2
      in (xs[half:] ++ xs[:half]) :> [n]f32
  in xs[n / 2]

-- ==
-- entry: repeated
-- input { 16384i64 1i32 }
-- input { 16384i64 21i32 }
entry repeated (n: i64) (times: i32) : f32 =
  let (_, s) =
    loop (row, s) = (data n, 0f32)
    for _i < times do
      let xs = copy (replicate n row)
      in (xs[n / 3], s + xs[n / 2, n / 3])
  in s

-- ==
-- entry: gathered
-- input { 268435456i64 5i64 1i32 }
-- input { 268435456i64 5i64 11i32 }
-- input { 67108864i64 1000003i64 1i32 }
-- input { 67108864i64 1000003i64 11i32 }
entry gathered (n: i64) (far: i64) (times: i32) : f32 =
  let is = map (\i -> if far < 100 then i ^ far else (i * far) % n) (iota n)
  let xs = loop xs = data n for _i < times do map (\i -> #[unsafe] xs[i]) is
  in xs[n / 2]

-- ==
-- entry: permuted
-- input { 512i64 512i64 1024i64 1i32 }
-- input { 512i64 512i64 1024i64 11i32 }
entry permuted (a: i64) (b: i64) (c: i64) (times: i32) : f32 =
  let xs = unflatten_3d (data (a * b * c)) :> [a][b][c]f32
  let ys =
    loop xs for _i < times do
      unflatten_3d (flatten_3d (copy (transpose (map transpose xs))) :> [a * b * c]f32)
  in ys[a / 2, b / 2, c / 2]

-- ==
-- entry: middle_sums
-- input { 512i64 512i64 1024i64 1i32 }
-- input { 512i64 512i64 1024i64 11i32 }
entry middle_sums (a: i64) (b: i64) (c: i64) (times: i32) : f32 =
  let xs = unflatten_3d (data (a * b * c)) :> [a][b][c]f32
  in loop s = 0f32
     for _i < times do
       let sums = map (\m -> map (\column -> f32.sum (map (\x -> x + s) column)) (transpose m)) xs
       in sums[a / 2, c / 2] * 0.000001f32

-- ==
-- entry: column_scans
-- input { 1i64 16384i64 16384i64 1i32 }
-- input { 1i64 16384i64 16384i64 11i32 }
-- input { 512i64 512i64 1024i64 1i32 }
-- input { 512i64 512i64 1024i64 11i32 }
-- input { 1i64 16777216i64 16i64 1i32 }
-- input { 1i64 16777216i64 16i64 11i32 }
-- input { 1i64 67108864i64 4i64 1i32 }
-- input { 1i64 67108864i64 4i64 11i32 }
-- input { 1i64 1000i64 1000i64 1i32 }
-- input { 1i64 1000i64 1000i64 101i32 }
entry column_scans (a: i64) (b: i64) (c: i64) (times: i32) : f32 =
  let xs = unflatten_3d (data (a * b * c)) :> [a][b][c]f32
  let ys =
    loop xs for _i < times do
      map (\m -> transpose (map (scan (\x y -> x * 0.5f32 + y) 0f32) (transpose m))) xs
  in ys[a / 2, b / 2, c / 2]

-- ==
-- entry: narrow_scans
-- input { 33554432i64 2i64 1i32 }
-- input { 33554432i64 2i64 11i32 }
-- input { 22369621i64 3i64 1i32 }
-- input { 22369621i64 3i64 11i32 }
-- input { 13421772i64 5i64 1i32 }
-- input { 13421772i64 5i64 11i32 }
-- input { 9586980i64 7i64 1i32 }
-- input { 9586980i64 7i64 11i32 }
-- input { 4473924i64 15i64 1i32 }
-- input { 4473924i64 15i64 11i32 }
entry narrow_scans (n: i64) (m: i64) (times: i32) : i32 =
  let xs = tabulate_2d n m (\i j -> i32.i64 (i ^ j))
  let ys = loop xs for _i < times do scan (map2 (+)) (replicate m 0) xs
  in ys[n / 2, m - 1]

-- ==
-- entry: scan_of_rows
-- input { 16384i64 16384i64 1i32 }
-- input { 16384i64 16384i64 11i32 }
-- input { 1048576i64 256i64 1i32 }
-- input { 1048576i64 256i64 11i32 }
entry scan_of_rows (n: i64) (m: i64) (times: i32) : i32 =
  let xs = unflatten (map i32.i64 (iota (n * m))) :> [n][m]i32
  let ys = loop xs for _i < times do scan (map2 (+)) (replicate m 0) xs
  in ys[n / 2, m / 2]

-- ==
-- entry: scan_of_pairs
-- input { 16384i64 8192i64 1i32 }
-- input { 16384i64 8192i64 11i32 }
entry scan_of_pairs (n: i64) (m: i64) (times: i32) : f32 =
  let after (a: f32, b: f32) (c: f32, d: f32) = (a * c, b * c + d)
  let xs = unflatten (data (n * m)) :> [n][m]f32
  let (ys, zs) =
    loop (xs, ys) = (xs, copy xs)
    for _i < times do
      unzip (map unzip (transpose (map (scan after (1, 0)) (transpose (map2 zip xs ys)))))
  in ys[n / 2, m / 2] + zs[n / 2, m / 3]

-- Every order of three axes.
-- ==
-- entry: permuted_bca
-- input { 512i64 512i64 1024i64 1i32 }
-- input { 512i64 512i64 1024i64 11i32 }
entry permuted_bca (a: i64) (b: i64) (c: i64) (times: i32) : f32 =
  let xs = unflatten_3d (data (a * b * c)) :> [a][b][c]f32
  let ys =
    loop xs for _i < times do
      unflatten_3d (flatten_3d (copy (map transpose (transpose xs))) :> [a * b * c]f32)
  in ys[a / 2, b / 2, c / 2]

-- ==
-- entry: permuted_cba
-- input { 512i64 512i64 1024i64 1i32 }
-- input { 512i64 512i64 1024i64 11i32 }
entry permuted_cba (a: i64) (b: i64) (c: i64) (times: i32) : f32 =
  let xs = unflatten_3d (data (a * b * c)) :> [a][b][c]f32
  let ys =
    loop xs for _i < times do
      unflatten_3d (flatten_3d (copy (transpose (map transpose (transpose xs)))) :> [a * b * c]f32)
  in ys[a / 2, b / 2, c / 2]

-- ==
-- entry: permuted_acb
-- input { 512i64 512i64 1024i64 1i32 }
-- input { 512i64 512i64 1024i64 11i32 }
entry permuted_acb (a: i64) (b: i64) (c: i64) (times: i32) : f32 =
  let xs = unflatten_3d (data (a * b * c)) :> [a][b][c]f32
  let ys =
    loop xs for _i < times do
      unflatten_3d (flatten_3d (copy (map transpose xs)) :> [a * b * c]f32)
  in ys[a / 2, b / 2, c / 2]

-- ==
-- entry: transposed
-- input { 16384i64 1i32 }
-- input { 16384i64 21i32 }
entry transposed (n: i64) (times: i32) : f32 =
  let xs = unflatten (data (n * n)) :> [n][n]f32
  let ys = loop xs for _i < times do copy (transpose xs)
  in ys[n / 2, n / 3]

-- ==
-- entry: matmul
-- input { 4096i64 4096i64 4096i64 1i32 }
-- input { 4096i64 4096i64 4096i64 9i32 }
-- input { 4093i64 4091i64 4097i64 1i32 }
-- input { 4093i64 4091i64 4097i64 9i32 }
-- input { 1048576i64 4i64 256i64 1i32 }
-- input { 1048576i64 4i64 256i64 9i32 }
-- input { 1048576i64 16i64 256i64 1i32 }
-- input { 1048576i64 16i64 256i64 9i32 }
-- input { 16i64 4096i64 4096i64 1i32 }
-- input { 16i64 4096i64 4096i64 51i32 }
-- input { 64i64 64i64 1048576i64 1i32 }
-- input { 64i64 64i64 1048576i64 9i32 }
entry matmul (n: i64) (m: i64) (k: i64) (times: i32) : f32 =
  let a = unflatten (data (n * k)) :> [n][k]f32
  let b = unflatten (data (k * m)) :> [k][m]f32
  let (_, s) =
    loop (a, s) = (copy a, 0f32)
    for _i < times do
      let a = a with [0, 0] = s -- so that no repetition is like the one before
      let c = map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
      in (a, c[n / 2, i64.f32 s % m] * 0.0001f32)
  in s

-- ==
-- entry: max_plus
-- input { 4096i64 4096i64 4096i64 1i32 }
-- input { 4096i64 4096i64 4096i64 5i32 }
entry max_plus (n: i64) (m: i64) (k: i64) (times: i32) : f32 =
  let a = unflatten (data (n * k)) :> [n][k]f32
  let b = unflatten (data (k * m)) :> [k][m]f32
  let (_, s) =
    loop (a, s) = (copy a, 0f32)
    for _i < times do
      let a = a with [0, 0] = s -- so that no repetition is like the one before
      let c = map (\r -> map (\c -> f32.maximum (map2 (+) r c)) (transpose b)) a
      in (a, c[n / 2, i64.f32 s % m] * 0.0001f32)
  in s

-- ==
-- entry: jacobi
-- input { 16384i64 1i32 }
-- input { 16384i64 101i32 }
-- input { 256i64 1i32 }
-- input { 256i64 1001i32 }
entry jacobi (n: i64) (times: i32) : f32 =
  let start = tabulate_2d n n (\i j -> f32.i64 ((i * 7 + j * 13) % 1024))
  let end =
    loop xs = start
    for _i < times do
      stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
                 (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
                 (rep (rep ()))
                 xs
  in end[n / 2, n / 3]

-- ==
-- entry: heat_3d
-- input { 512i64 1i32 }
-- input { 512i64 21i32 }
entry heat_3d (n: i64) (times: i32) : f32 =
  let start = tabulate_3d n n n (\i j k -> f32.i64 ((i * 7 + j * 13 + k * 3) % 1024))
  let end =
    loop xs = start
    for _i < times do
      stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
                 (\() v -> 0.1f32 * (v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6]))
                 (rep (rep (rep ())))
                 xs
  in end[n / 2, n / 3, n / 4]

-- ==
-- entry: scatter_pairs
-- input { 67108864i64 1i32 }
-- input { 67108864i64 11i32 }
entry scatter_pairs (n: i64) (times: i32) : f32 =
  let is = map (\i -> i ^ 5) (iota n)
  let vs = zip (data n) (map i32.i64 (iota n))
  let xs = loop xs = replicate n (0f32, 0i32) for _i < times do scatter xs is vs
  in xs[n / 2].0 + f32.i32 xs[n / 3].1

-- ==
-- entry: scatter_plane
-- input { 8192i64 1i32 }
-- input { 8192i64 11i32 }
entry scatter_plane (n: i64) (times: i32) : f32 =
  let is = map (\i -> ((i ^ 5) / n, (i ^ 5) % n)) (iota (n * n))
  let vs = data (n * n)
  let xs = loop xs = replicate n (replicate n 0f32) for _i < times do scatter_2d xs is vs
  in xs[n / 2, n / 3]

-- ==
-- entry: scatter_rows
-- input { 4194304i64 16i64 1i32 }
-- input { 4194304i64 16i64 11i32 }
entry scatter_rows (n: i64) (m: i64) (times: i32) : f32 =
  let is = map (\i -> i ^ 5) (iota n)
  let vs = unflatten (data (n * m)) :> [n][m]f32
  let xs = loop xs = replicate n (replicate m 0f32) for _i < times do scatter xs is vs
  in xs[n / 2, m / 3]

-- ==
-- entry: fft_1d
-- input { 1048576i64 1i32 }
-- input { 1048576i64 9i32 }
-- input { 1000000i64 1i32 }
-- input { 1000000i64 9i32 }
-- input { 16777216i64 1i32 }
-- input { 16777216i64 9i32 }
entry fft_1d (n: i64) (times: i32) : f32 =
  let xs = loop xs = zip (data n) (data n) for _i < times do fft_f32.fft xs
  in xs[n / 2].0

-- ==
-- entry: fft_rows
-- input { 16384i64 1024i64 1i32 }
-- input { 16384i64 1024i64 9i32 }
-- input { 65536i64 256i64 1i32 }
-- input { 65536i64 256i64 9i32 }
entry fft_rows (b: i64) (n: i64) (times: i32) : f32 =
  let xs = loop xs = unflatten (zip (data (b * n)) (data (b * n))) for _i < times do fft_f32.fft_rows xs
  in xs[b / 2, n / 2].0

-- ==
-- entry: fft_2d
-- input { 1024i64 1i32 }
-- input { 1024i64 9i32 }
entry fft_2d (n: i64) (times: i32) : f32 =
  let xs = loop xs = unflatten (zip (data (n * n)) (data (n * n))) for _i < times do fft_f32.fft_2d xs
  in xs[n / 2, n / 2].0

-- ==
-- entry: fft_3d
-- input { 128i64 1i32 }
-- input { 128i64 9i32 }
entry fft_3d (n: i64) (times: i32) : f32 =
  let values = zip (data (n * n * n)) (data (n * n * n))
  let xs = loop xs = unflatten_3d values for _i < times do fft_f32.fft_3d xs
  in xs[n / 2, n / 2, n / 2].0

-- ==
-- entry: uniques
-- input { 67108864i64 1i32 }
-- input { 67108864i64 5i32 }
entry uniques (n: i64) (times: i32) : i64 =
  let xs = map (\i -> i32.i64 (i / 3)) (iota n)
  in loop count = 0
     for _i < times do
       let ys = unique (==) (map (+ i32.i64 count) xs)
       in count + length ys + i64.i32 ys[length ys / 2]

-- ==
-- entry: encoded
-- input { 67108864i64 1i32 }
-- input { 67108864i64 5i32 }
entry encoded (n: i64) (times: i32) : i64 =
  let xs = map (\i -> i32.i64 (i / 3)) (iota n)
  in loop count = 0
     for _i < times do
       let (ys, counts) = run_length_encode (==) (map (+ i32.i64 count) xs)
       in count + counts[length ys / 3] + i64.i32 ys[length ys / 2]

-- ==
-- entry: grouped
-- input { 67108864i64 1i32 }
-- input { 67108864i64 3i32 }
entry grouped (n: i64) (times: i32) : i64 =
  let xs = map (\i -> u32.i64 i * 2654435761) (iota n)
  in loop count = 0
     for _i < times do
       let (keys, counts, values) = group_by u32.sort_order (==) (map (\x -> (x + u32.i64 count) % 1000) xs) xs
       in count + length keys + counts[length keys / 2] + i64.u32 values[n / 2]

-- Rows of 16 to 47 elements of a sparse matrix, 32 on average: sums of slices, and loops.
def row_starts (n: i64) : [n + 1]i64 = map (\i -> 32 * i + (i * 7919) % 16) (iota (n + 1))
def columns_near (n: i64) (k: i64) : [k]i64 = map (\i -> (i / 32 + (i * 31) % 1024) % n) (iota k)

-- ==
-- entry: sparse_product
-- input { 1048576i64 1i32 }
-- input { 1048576i64 11i32 }
entry sparse_product (n: i64) (times: i32) : f32 =
  let starts = row_starts n
  let values = data (32 * n + 16)
  let columns = columns_near n (32 * n + 16)
  let xs =
    loop xs = data n
    for _i < times do
      map (\i ->
             let (a, b) = (starts[i], starts[i + 1])
             in 0.03f32 * f32.sum (map2 (\v c -> v * xs[c]) values[a:b] columns[a:b]))
          (iota n)
  in xs[n / 2]

-- ==
-- entry: sparse_loops
-- input { 1048576i64 1i32 }
-- input { 1048576i64 11i32 }
entry sparse_loops (n: i64) (times: i32) : f32 =
  let starts = row_starts n
  let values = data (32 * n + 16)
  let columns = columns_near n (32 * n + 16)
  let row (xs: []f32) i =
    loop s = 0f32 for k in starts[i]..<starts[i + 1] do s + values[k] * xs[columns[k]]
  let xs = loop xs = data n for _i < times do map (\i -> 0.03f32 * row xs i) (iota n)
  in xs[n / 2]

-- The same with positions of 4 bytes, as cuSPARSE has them.
-- ==
-- entry: sparse_product_32
-- input { 1048576i64 1i32 }
-- input { 1048576i64 11i32 }
entry sparse_product_32 (n: i64) (times: i32) : f32 =
  let starts = map i32.i64 (row_starts n)
  let values = data (32 * n + 16)
  let columns = map i32.i64 (columns_near n (32 * n + 16))
  let xs =
    loop xs = data n
    for _i < times do
      map (\i ->
             let (a, b) = (i64.i32 starts[i], i64.i32 starts[i + 1])
             in 0.03f32 * f32.sum (map2 (\v c -> v * xs[i64.i32 c]) values[a:b] columns[a:b]))
          (iota n)
  in xs[n / 2]

-- Rows of few elements: as arguments and results of cells, reduced along and across.
-- ==
-- entry: least_of_rows
-- input { 33554432i64 2i64 1i32 }
-- input { 33554432i64 2i64 11i32 }
-- input { 22369621i64 3i64 1i32 }
-- input { 22369621i64 3i64 11i32 }
-- input { 13421772i64 5i64 1i32 }
-- input { 13421772i64 5i64 11i32 }
-- input { 9586980i64 7i64 1i32 }
-- input { 9586980i64 7i64 11i32 }
-- input { 4473924i64 15i64 1i32 }
-- input { 4473924i64 15i64 11i32 }
entry least_of_rows (n: i64) (m: i64) (times: i32) : i64 =
  let less (a: f32, i: i64) (b: f32, j: i64) = if a < b || (a == b && i < j) then (a, i) else (b, j)
  let xs = unflatten (data (n * m)) :> [n][m]f32
  in loop s = 0
     for _i < times do
       let least =
         map (\row -> reduce less (f32.inf, -1) (zip (map (+ f32.i64 (s & 1)) row) (iota m))) xs
       in least[n / 2].1

-- ==
-- entry: narrow_sums
-- input { 33554432i64 2i64 1i32 }
-- input { 33554432i64 2i64 11i32 }
-- input { 22369621i64 3i64 1i32 }
-- input { 22369621i64 3i64 11i32 }
-- input { 13421772i64 5i64 1i32 }
-- input { 13421772i64 5i64 11i32 }
-- input { 9586980i64 7i64 1i32 }
-- input { 9586980i64 7i64 11i32 }
-- input { 4473924i64 15i64 1i32 }
-- input { 4473924i64 15i64 11i32 }
entry narrow_sums (n: i64) (m: i64) (times: i32) : f32 =
  let xs = unflatten (data (n * m)) :> [n][m]f32
  in loop s = 0f32
     for _i < times do
       let sums = map (\c -> f32.sum (map (+ s) c)) (transpose xs)
       in sums[m / 2] * 0.0000001f32

-- ==
-- entry: particles
-- input { 16777216i64 1i32 }
-- input { 16777216i64 11i32 }
entry particles (n: i64) (times: i32) : f32 =
  let step p v =
    let r = f32.sqrt (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) + 1
    let v: [3]f32 = map2 (\v p -> v - 0.01f32 * p / r) v p
    in (map2 (\p v -> p + 0.01f32 * v) p v, v)
  let start = unflatten (data (n * 3)) :> [n][3]f32
  let (ps, _) = loop (ps, vs) = (start, copy start) for _i < times do unzip (map2 step ps vs)
  in ps[n / 2, 1]

-- ==
-- entry: products_3
-- input { 16777216i64 1i32 }
-- input { 16777216i64 11i32 }
entry products_3 (n: i64) (times: i32) : f32 =
  let ms = unflatten_3d (data (n * 3 * 3)) :> [n][3][3]f32
  let product a b = map (\row -> map (\column -> 0.3f32 * f32.sum (map2 (*) row column)) (transpose b)) a
  let ks = loop ks = ms for _i < times do map2 product ms ks
  in ks[n / 2, 1, 2]

-- ==
-- entry: small_products
-- input { 262144i64 8i64 1i32 }
-- input { 262144i64 8i64 11i32 }
-- input { 65536i64 16i64 1i32 }
-- input { 65536i64 16i64 11i32 }
-- input { 16384i64 32i64 1i32 }
-- input { 16384i64 32i64 11i32 }
entry small_products (b: i64) (m: i64) (times: i32) : f32 =
  let ms = unflatten_3d (data (b * m * m)) :> [b][m][m]f32
  let product a b = map (\row -> map (\column -> 0.1f32 * f32.sum (map2 (*) row column)) (transpose b)) a
  let ks = loop ks = ms for _i < times do map2 product ms ks
  in ks[b / 2, 1, 2]

-- ==
-- entry: byte_rows
-- input { 22369621i64 3i64 1i32 }
-- input { 22369621i64 3i64 11i32 }
-- input { 9586980i64 7i64 1i32 }
-- input { 9586980i64 7i64 11i32 }
entry byte_rows (n: i64) (m: i64) (times: i32) : u8 =
  let xs = tabulate_2d n m (\i j -> u8.i64 (i ^ j))
  let ys = loop xs for _i < times do map (\row -> let s = reduce (+) 0 row in map (\x -> x * 3 + s) row) xs
  in ys[n / 2, m - 1]

-- ==
-- entry: scans_of_three
-- input { 16777216i64 1i32 }
-- input { 16777216i64 11i32 }
entry scans_of_three (n: i64) (times: i32) : i32 =
  let xs = tabulate_2d n 3 (\i j -> i32.i64 (i ^ j))
  let ys = loop xs for _i < times do map (scan (+) 0) xs
  in ys[n / 2, 2]

-- ==
-- entry: colours
-- input { 16777216i64 1i32 }
-- input { 16777216i64 11i32 }
entry colours (n: i64) (times: i32) : f32 =
  let xs = unflatten (data (n * 3)) :> [n][3]f32
  let step (p: [3]f32): [3]f32 =
    let g = p[0] * 0.2f32 + p[1] * 0.5f32 + p[2] * 0.3f32
    in map (\c -> 0.5f32 * (c + g) + 0.1f32) p
  let ys = loop xs for _i < times do map step xs
  in ys[n / 2, 1]
