-- Stencils of many shapes, a number of steps each: bench/stencil/run takes the difference between
-- few and many steps. Grids are made on the device, and one cell is returned.

def plane (n: i64) (m: i64): [n][m]f32 = tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 13) % 1024))
def cube (n: i64) (m: i64) (k: i64): [n][m][k]f32 =
  tabulate_3d n m k (\a b c -> f32.i64 ((a * 3 + b * 7 + c * 13) % 1024))

def mean_2d [d] [n][m] (offsets: [d](i64, i64)) (xs: [n][m]f32): *[n][m]f32 =
  stencil_2d offsets (\() v -> (1f32 / f32.i64 d) * f32.sum v) (rep (rep ())) xs
def mean_3d [d] [n][m][k] (offsets: [d](i64, i64, i64)) (xs: [n][m][k]f32): *[n][m][k]f32 =
  stencil_3d offsets (\() v -> (1f32 / f32.i64 d) * f32.sum v) (rep (rep (rep ()))) xs

-- ==
-- entry: star1
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 72" input { 8191i64 8191i64 72i32 }
-- "256 256 8" input { 256i64 256i64 8i32 }
-- "256 256 1008" input { 256i64 256i64 1008i32 }
-- "4096 4096 8" input { 4096i64 4096i64 8i32 }
-- "4096 4096 136" input { 4096i64 4096i64 136i32 }
-- "1024 1024 8" input { 1024i64 1024i64 8i32 }
-- "1024 1024 264" input { 1024i64 1024i64 264i32 }
entry star1 (n: i64) (m: i64) (steps: i32): f32 =
  let end = loop xs = plane n m for _i < steps do
    mean_2d
      [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)] xs
  in end[n / 2, m / 3]

-- ==
-- entry: star2
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 72" input { 8191i64 8191i64 72i32 }
entry star2 (n: i64) (m: i64) (steps: i32): f32 =
  let end = loop xs = plane n m for _i < steps do
    mean_2d
      [(-2, 0), (-1, 0), (0, -2), (0, -1), (0, 0), (0, 1), (0, 2), (1, 0), (2, 0)] xs
  in end[n / 2, m / 3]

-- ==
-- entry: star4
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
entry star4 (n: i64) (m: i64) (steps: i32): f32 =
  let end = loop xs = plane n m for _i < steps do
    mean_2d
      [(-4, 0), (-3, 0), (-2, 0), (-1, 0), (0, -4), (0, -3), (0, -2), (0, -1), (0, 0), (0, 1),
       (0, 2), (0, 3), (0, 4), (1, 0), (2, 0), (3, 0), (4, 0)] xs
  in end[n / 2, m / 3]

-- ==
-- entry: star8
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
entry star8 (n: i64) (m: i64) (steps: i32): f32 =
  let end = loop xs = plane n m for _i < steps do
    mean_2d
      [(-8, 0), (-7, 0), (-6, 0), (-5, 0), (-4, 0), (-3, 0), (-2, 0), (-1, 0), (0, -8), (0, -7),
       (0, -6), (0, -5), (0, -4), (0, -3), (0, -2), (0, -1), (0, 0), (0, 1), (0, 2), (0, 3),
       (0, 4), (0, 5), (0, 6), (0, 7), (0, 8), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0),
       (7, 0), (8, 0)] xs
  in end[n / 2, m / 3]

-- ==
-- entry: star16
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
entry star16 (n: i64) (m: i64) (steps: i32): f32 =
  let end = loop xs = plane n m for _i < steps do
    mean_2d
      [(-16, 0), (-15, 0), (-14, 0), (-13, 0), (-12, 0), (-11, 0), (-10, 0), (-9, 0), (-8, 0),
       (-7, 0), (-6, 0), (-5, 0), (-4, 0), (-3, 0), (-2, 0), (-1, 0), (0, -16), (0, -15),
       (0, -14), (0, -13), (0, -12), (0, -11), (0, -10), (0, -9), (0, -8), (0, -7), (0, -6),
       (0, -5), (0, -4), (0, -3), (0, -2), (0, -1), (0, 0), (0, 1), (0, 2), (0, 3), (0, 4),
       (0, 5), (0, 6), (0, 7), (0, 8), (0, 9), (0, 10), (0, 11), (0, 12), (0, 13), (0, 14),
       (0, 15), (0, 16), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0),
       (10, 0), (11, 0), (12, 0), (13, 0), (14, 0), (15, 0), (16, 0)] xs
  in end[n / 2, m / 3]

-- ==
-- entry: box3
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
entry box3 (n: i64) (m: i64) (steps: i32): f32 =
  let end = loop xs = plane n m for _i < steps do
    mean_2d
      [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0), (1, 1)] xs
  in end[n / 2, m / 3]

-- ==
-- entry: box9
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
entry box9 (n: i64) (m: i64) (steps: i32): f32 =
  let end = loop xs = plane n m for _i < steps do
    mean_2d
      [(-4, -4), (-4, -3), (-4, -2), (-4, -1), (-4, 0), (-4, 1), (-4, 2), (-4, 3), (-4, 4),
       (-3, -4), (-3, -3), (-3, -2), (-3, -1), (-3, 0), (-3, 1), (-3, 2), (-3, 3), (-3, 4),
       (-2, -4), (-2, -3), (-2, -2), (-2, -1), (-2, 0), (-2, 1), (-2, 2), (-2, 3), (-2, 4),
       (-1, -4), (-1, -3), (-1, -2), (-1, -1), (-1, 0), (-1, 1), (-1, 2), (-1, 3), (-1, 4),
       (0, -4), (0, -3), (0, -2), (0, -1), (0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, -4),
       (1, -3), (1, -2), (1, -1), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, -4), (2, -3),
       (2, -2), (2, -1), (2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (3, -4), (3, -3), (3, -2),
       (3, -1), (3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (4, -4), (4, -3), (4, -2), (4, -1),
       (4, 0), (4, 1), (4, 2), (4, 3), (4, 4)] xs
  in end[n / 2, m / 3]

-- ==
-- entry: star1_3d
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
entry star1_3d (n: i64) (m: i64) (k: i64) (steps: i32): f32 =
  let end = loop xs = cube n m k for _i < steps do
    mean_3d
      [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)] xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: star2_3d
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
entry star2_3d (n: i64) (m: i64) (k: i64) (steps: i32): f32 =
  let end = loop xs = cube n m k for _i < steps do
    mean_3d
      [(-2, 0, 0), (-1, 0, 0), (0, -2, 0), (0, -1, 0), (0, 0, -2), (0, 0, -1), (0, 0, 0),
       (0, 0, 1), (0, 0, 2), (0, 1, 0), (0, 2, 0), (1, 0, 0), (2, 0, 0)] xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: star4_3d
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
entry star4_3d (n: i64) (m: i64) (k: i64) (steps: i32): f32 =
  let end = loop xs = cube n m k for _i < steps do
    mean_3d
      [(-4, 0, 0), (-3, 0, 0), (-2, 0, 0), (-1, 0, 0), (0, -4, 0), (0, -3, 0), (0, -2, 0),
       (0, -1, 0), (0, 0, -4), (0, 0, -3), (0, 0, -2), (0, 0, -1), (0, 0, 0), (0, 0, 1),
       (0, 0, 2), (0, 0, 3), (0, 0, 4), (0, 1, 0), (0, 2, 0), (0, 3, 0), (0, 4, 0), (1, 0, 0),
       (2, 0, 0), (3, 0, 0), (4, 0, 0)] xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: box3_3d
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
entry box3_3d (n: i64) (m: i64) (k: i64) (steps: i32): f32 =
  let end = loop xs = cube n m k for _i < steps do
    mean_3d
      [(-1, -1, -1), (-1, -1, 0), (-1, -1, 1), (-1, 0, -1), (-1, 0, 0), (-1, 0, 1), (-1, 1, -1),
       (-1, 1, 0), (-1, 1, 1), (0, -1, -1), (0, -1, 0), (0, -1, 1), (0, 0, -1), (0, 0, 0),
       (0, 0, 1), (0, 1, -1), (0, 1, 0), (0, 1, 1), (1, -1, -1), (1, -1, 0), (1, -1, 1),
       (1, 0, -1), (1, 0, 0), (1, 0, 1), (1, 1, -1), (1, 1, 0), (1, 1, 1)] xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: poisson
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
entry poisson (n: i64) (m: i64) (k: i64) (steps: i32): f32 =
  let end = loop xs = cube n m k for _i < steps do
    mean_3d
      [(-1, -1, 0), (-1, 0, -1), (-1, 0, 0), (-1, 0, 1), (-1, 1, 0), (0, -1, -1), (0, -1, 0),
       (0, -1, 1), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, -1), (0, 1, 0), (0, 1, 1), (1, -1, 0),
       (1, 0, -1), (1, 0, 0), (1, 0, 1), (1, 1, 0)] xs
  in end[n / 2, m / 3, k / 5]

-- The same five-point mean as star1 by nested maps.
-- ==
-- entry: star1_tabulate
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
entry star1_tabulate (n: i64) (m: i64) (steps: i32): f32 =
  let end = loop xs = plane n m for _i < steps do
    tabulate_2d n m (\i j ->
      0.2f32 * (xs[i64.max 0 (i - 1), j] + xs[i, i64.max 0 (j - 1)] + xs[i, j]
                + xs[i, i64.min (m - 1) (j + 1)] + xs[i64.min (n - 1) (i + 1), j]))
  in end[n / 2, m / 3]

-- Gaussian weights, 5 x 5, sigma 1.5.
-- ==
-- entry: gaussian
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 72" input { 8191i64 8191i64 72i32 }
entry gaussian (n: i64) (m: i64) (steps: i32): f32 =
  let end = loop xs = plane n m for _i < steps do
    stencil_2d (map (\k -> (k / 5 - 2, k % 5 - 2)) (iota 25))
      (\() v ->
         let w = [0.0144f32, 0.0281f32, 0.0351f32, 0.0281f32, 0.0144f32, 0.0281f32, 0.0547f32,
                  0.0683f32, 0.0547f32, 0.0281f32, 0.0351f32, 0.0683f32, 0.0853f32, 0.0683f32,
                  0.0351f32, 0.0281f32, 0.0547f32, 0.0683f32, 0.0547f32, 0.0281f32, 0.0144f32,
                  0.0281f32, 0.0351f32, 0.0281f32, 0.0144f32]
         in f32.sum (map2 (*) w v)) (rep (rep ())) xs
  in end[n / 2, m / 3]

-- ==
-- entry: gradient
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 72" input { 8191i64 8191i64 72i32 }
entry gradient (n: i64) (m: i64) (steps: i32): f32 =
  let end = loop xs = plane n m for _i < steps do
    stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
      (\() v -> 0.25f32 * ((v[2] - v[0]) + (v[2] - v[1]) + (v[3] - v[2]) + (v[4] - v[2])))
      (rep (rep ())) xs
  in end[n / 2, m / 3]

-- Rodinia's hotspot: the power of each cell is an invariant array.
-- ==
-- entry: hotspot
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 72" input { 8191i64 8191i64 72i32 }
entry hotspot (n: i64) (m: i64) (steps: i32): f32 =
  let power = tabulate_2d n m (\i j -> f32.i64 ((i + j) % 7))
  let end = loop xs = plane n m for _i < steps do
    stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
      (\p v -> v[2] + 0.06f32 * (p + (v[0] + v[4] - 2f32 * v[2]) * 0.1f32
                                   + (v[1] + v[3] - 2f32 * v[2]) * 0.2f32 + (80f32 - v[2]) * 0.3f32))
      power xs
  in end[n / 2, m / 3]

-- ==
-- entry: hotspot_3d
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
entry hotspot_3d (n: i64) (m: i64) (k: i64) (steps: i32): f32 =
  let power = tabulate_3d n m k (\a b c -> f32.i64 ((a + b + c) % 7))
  let end = loop xs = cube n m k for _i < steps do
    stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
      (\p v -> 0.4f32 * v[3] + 0.09f32 * (v[0] + v[6]) + 0.1f32 * (v[1] + v[5])
                + 0.11f32 * (v[2] + v[4]) + 0.01f32 * p + 0.3f32) power xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: wave
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
entry wave (n: i64) (m: i64) (steps: i32): f32 =
  let (_, end) = loop (before, now) = (plane n m, plane n m) for _i < steps do
    (now, stencil_2d [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
            (\old v -> 2f32 * v[0] - old + 0.25f32 * (v[1] + v[2] + v[3] + v[4] - 4f32 * v[0]))
            before now)
  in end[n / 2, m / 3]

-- ==
-- entry: double
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
entry double (n: i64) (m: i64) (steps: i32): f64 =
  let end = loop xs = map (map f64.f32) (plane n m) for _i < steps do
    stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
      (\() v -> 0.2f64 * (v[0] + v[1] + v[2] + v[3] + v[4])) (rep (rep ())) xs
  in end[n / 2, m / 3]

-- ==
-- entry: type_f64
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
entry type_f64 (n: i64) (m: i64) (k: i64) (steps: i32): f64 =
  let end = loop xs = map (map (map f64.f32)) (cube n m k) for _i < steps do
    stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
      (\() v -> f64.sum v) (rep (rep (rep ()))) xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: type_i8
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
entry type_i8 (n: i64) (m: i64) (k: i64) (steps: i32): i8 =
  let end = loop xs = map (map (map i8.f32)) (cube n m k) for _i < steps do
    stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
      (\() v -> i8.sum v) (rep (rep (rep ()))) xs
  in end[n / 2, m / 3, k / 5]

-- 17 x 17 convolution, as the product of two vectors of weights and as two passes.
def weights: [17]f32 =
  [0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.09, 0.1, 0.11, 0.1, 0.09, 0.08, 0.06, 0.04, 0.03, 0.02, 0.01]
-- ==
-- entry: conv17
-- "4096 4096 8" input { 4096i64 4096i64 8i32 }
-- "4096 4096 40" input { 4096i64 4096i64 40i32 }
entry conv17 (n: i64) (m: i64) (steps: i32): f32 =
  let end = loop xs = plane n m for _i < steps do
    stencil_2d (map (\k -> (k / 17 - 8, k % 17 - 8)) (iota 289))
      (\() v -> 0.5f32 * f32.sum (map2 (\k x -> weights[k / 17] * weights[k % 17] * x) (iota 289) v))
      (rep (rep ())) xs
  in end[n / 2, m / 3]
-- ==
-- entry: conv17_passes
-- "4096 4096 8" input { 4096i64 4096i64 8i32 }
-- "4096 4096 40" input { 4096i64 4096i64 40i32 }
entry conv17_passes (n: i64) (m: i64) (steps: i32): f32 =
  let end = loop xs = plane n m for _i < steps do
    let across = stencil_2d (map (\k -> (0, k - 8)) (iota 17))
                   (\() v -> f32.sum (map2 (\k x -> weights[k] * x) (iota 17) v)) (rep (rep ())) xs
    in stencil_2d (map (\k -> (k - 8, 0)) (iota 17))
         (\() v -> 0.5f32 * f32.sum (map2 (\k x -> weights[k] * x) (iota 17) v)) (rep (rep ())) across
  in end[n / 2, m / 3]

-- The limit: every cell read and written once.
-- ==
-- entry: copy
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
entry copy (n: i64) (m: i64) (steps: i32): f32 =
  let end = loop xs = plane n m for _i < steps do map (map (\x -> x * 0.5f32 + 1f32)) xs
  in end[n / 2, m / 3]
