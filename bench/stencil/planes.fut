-- Stencils in the plane, a number of steps each: bench/stencil/run takes the difference between few
-- and many steps. Grids are made on the device, and one cell is returned. NAME_nested is the same
-- program by tabulate and nested maps, without a stencil.

def plane (n: i64) (m: i64) : [n][m]f32 = tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 13) % 1024))

def around [d] [n] [m] (offsets: [d](i64, i64)) (f: [d]f32 -> f32) (xs: [n][m]f32) : *[n][m]f32 =
  stencil_2d offsets (\() v -> f v) (rep (rep ())) xs

def nested [d] [n] [m] (offsets: [d](i64, i64)) (f: [d]f32 -> f32) (xs: [n][m]f32) : *[n][m]f32 =
  tabulate_2d n m (\i j ->
                     f (map (\(a, b) -> xs[i64.max 0 (i64.min (n - 1) (i + a)), i64.max 0 (i64.min (m - 1) (j + b))])
                            offsets))

def mean [d] (v: [d]f32) : f32 = (1f32 / f32.i64 d) * f32.sum v

-- The limit: every cell read and written once.
-- ==
-- entry: copy
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 40" input { 16384i64 16384i64 40i32 }
-- "4096 4096 8" input { 4096i64 4096i64 8i32 }
-- "4096 4096 72" input { 4096i64 4096i64 72i32 }
-- "32768 32768 4" input { 32768i64 32768i64 4i32 }
-- "32768 32768 12" input { 32768i64 32768i64 12i32 }
entry copy (n: i64) (m: i64) (steps: i32) : f32 =
  let end = loop xs = plane n m for _i < steps do map (map (\x -> x * 0.5f32 + 1f32)) xs
  in end[n / 2, m / 3]

-- ---- Programs of seed 000

def five = [(-1i64, 0i64), (0, -1), (0, 0), (0, 1), (1, 0)]

def blur : [25]f32 =
  [ 0.0144f32
  , 0.0281f32
  , 0.0351f32
  , 0.0281f32
  , 0.0144f32
  , 0.0281f32
  , 0.0547f32
  , 0.0683f32
  , 0.0547f32
  , 0.0281f32
  , 0.0351f32
  , 0.0683f32
  , 0.0853f32
  , 0.0683f32
  , 0.0351f32
  , 0.0281f32
  , 0.0547f32
  , 0.0683f32
  , 0.0547f32
  , 0.0281f32
  , 0.0144f32
  , 0.0281f32
  , 0.0351f32
  , 0.0281f32
  , 0.0144f32
  ]

-- Gaussian weights, 5 x 5, sigma 1.5.
-- ==
-- entry: gaussian
-- "4095 4095 8" input { 4095i64 4095i64 8i32 }
-- "4095 4095 72" input { 4095i64 4095i64 72i32 }
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 40" input { 8191i64 8191i64 40i32 }
-- "16383 16383 8" input { 16383i64 16383i64 8i32 }
-- "16383 16383 24" input { 16383i64 16383i64 24i32 }
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 24" input { 16384i64 16384i64 24i32 }
entry gaussian (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      around (map (\k -> (k / 5 - 2, k % 5 - 2)) (iota 25)) (\v -> f32.sum (map2 (*) blur v)) xs
  in end[n / 2, m / 3]

-- ==
-- entry: gaussian_nested
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 40" input { 8191i64 8191i64 40i32 }
entry gaussian_nested (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      nested (map (\k -> (k / 5 - 2, k % 5 - 2)) (iota 25)) (\v -> f32.sum (map2 (*) blur v)) xs
  in end[n / 2, m / 3]

-- ==
-- entry: gradient
-- "4095 4095 8" input { 4095i64 4095i64 8i32 }
-- "4095 4095 72" input { 4095i64 4095i64 72i32 }
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 40" input { 8191i64 8191i64 40i32 }
-- "16383 16383 8" input { 16383i64 16383i64 8i32 }
-- "16383 16383 24" input { 16383i64 16383i64 24i32 }
entry gradient (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      around five
             (\v -> 0.25f32 * ((v[2] - v[0]) + (v[2] - v[1]) + (v[3] - v[2]) + (v[4] - v[2])))
             xs
  in end[n / 2, m / 3]

-- ==
-- entry: gradient_nested
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 40" input { 8191i64 8191i64 40i32 }
entry gradient_nested (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      nested five
             (\v -> 0.25f32 * ((v[2] - v[0]) + (v[2] - v[1]) + (v[3] - v[2]) + (v[4] - v[2])))
             xs
  in end[n / 2, m / 3]

-- ==
-- entry: jacobi5
-- "4095 4095 8" input { 4095i64 4095i64 8i32 }
-- "4095 4095 72" input { 4095i64 4095i64 72i32 }
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 40" input { 8191i64 8191i64 40i32 }
-- "16383 16383 8" input { 16383i64 16383i64 8i32 }
-- "16383 16383 24" input { 16383i64 16383i64 24i32 }
entry jacobi5 (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      around five mean xs
  in end[n / 2, m / 3]

-- ==
-- entry: jacobi5_nested
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 40" input { 8191i64 8191i64 40i32 }
entry jacobi5_nested (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      nested five mean xs
  in end[n / 2, m / 3]

-- ==
-- entry: jacobi9
-- "4095 4095 8" input { 4095i64 4095i64 8i32 }
-- "4095 4095 72" input { 4095i64 4095i64 72i32 }
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 40" input { 8191i64 8191i64 40i32 }
-- "16383 16383 8" input { 16383i64 16383i64 8i32 }
-- "16383 16383 24" input { 16383i64 16383i64 24i32 }
entry jacobi9 (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      around [(-2, 0), (-1, 0), (0, -2), (0, -1), (0, 0), (0, 1), (0, 2), (1, 0), (2, 0)] mean xs
  in end[n / 2, m / 3]

-- ==
-- entry: jacobi9_nested
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 40" input { 8191i64 8191i64 40i32 }
entry jacobi9_nested (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      nested [(-2, 0), (-1, 0), (0, -2), (0, -1), (0, 0), (0, 1), (0, 2), (1, 0), (2, 0)] mean xs
  in end[n / 2, m / 3]

-- Rodinia's hotspot: the power of each cell is an invariant array.
def nested_with [d] [n] [m]
                (offsets: [d](i64, i64))
                (f: f32 -> [d]f32 -> f32)
                (power: [n][m]f32)
                (xs: [n][m]f32) : *[n][m]f32 =
  tabulate_2d n m (\i j ->
                     f power[i, j]
                       (map (\(a, b) -> xs[i64.max 0 (i64.min (n - 1) (i + a)), i64.max 0 (i64.min (m - 1) (j + b))])
                            offsets))

-- ==
-- entry: hotspot
-- "4095 4095 8" input { 4095i64 4095i64 8i32 }
-- "4095 4095 72" input { 4095i64 4095i64 72i32 }
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 40" input { 8191i64 8191i64 40i32 }
-- "16383 16383 8" input { 16383i64 16383i64 8i32 }
-- "16383 16383 24" input { 16383i64 16383i64 24i32 }
entry hotspot (n: i64) (m: i64) (steps: i32) : f32 =
  let power = tabulate_2d n m (\i j -> f32.i64 ((i + j) % 7))
  let end =
    loop xs = plane n m
    for _i < steps do
      stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
                 (\p v ->
                    v[2]
                    + 0.06f32
                      * (p + (v[0] + v[4] - 2f32 * v[2]) * 0.1f32
                         + (v[1] + v[3] - 2f32 * v[2]) * 0.2f32
                         + (80f32 - v[2]) * 0.3f32))
                 power
                 xs
  in end[n / 2, m / 3]

-- ==
-- entry: hotspot_nested
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 40" input { 8191i64 8191i64 40i32 }
entry hotspot_nested (n: i64) (m: i64) (steps: i32) : f32 =
  let power = tabulate_2d n m (\i j -> f32.i64 ((i + j) % 7))
  let end =
    loop xs = plane n m
    for _i < steps do
      nested_with [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
                  (\p v ->
                     v[2]
                     + 0.06f32
                       * (p + (v[0] + v[4] - 2f32 * v[2]) * 0.1f32
                          + (v[1] + v[3] - 2f32 * v[2]) * 0.2f32
                          + (80f32 - v[2]) * 0.3f32))
                  power
                  xs
  in end[n / 2, m / 3]

-- Rodinia's srad without its statistics: two stencils a step, the second over tuples.
-- ==
-- entry: srad
-- "2047 2047 8" input { 2047i64 2047i64 8i32 }
-- "2047 2047 72" input { 2047i64 2047i64 72i32 }
-- "4095 4095 8" input { 4095i64 4095i64 8i32 }
-- "4095 4095 40" input { 4095i64 4095i64 40i32 }
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 24" input { 8191i64 8191i64 24i32 }
entry srad (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = map (map (+ 1f32)) (plane n m)
    for _i < steps do
      let cells =
        stencil_2d [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
                   (\() v ->
                      let x = v[0]
                      let (north, south, west, east) = (v[1] - x, v[2] - x, v[3] - x, v[4] - x)
                      let g = (north * north + south * south + west * west + east * east) / (x * x)
                      let l = (north + south + west + east) / x
                      let d = 1f32 + 0.25f32 * l
                      let q = (0.5f32 * g - l * l / 16f32) / (d * d)
                      let c = 1f32 / (1f32 + (q - 0.05f32) / 0.0525f32)
                      in (f32.max 0f32 (f32.min 1f32 c), north, south, west, east))
                   (rep (rep ()))
                   xs
      let flow =
        stencil_2d [(0, 0), (1, 0), (0, 1)]
                   (\(_, north, south, west, east) c -> c[0] * (north + west) + c[1] * south + c[2] * east)
                   cells
                   (map (map (.0)) cells)
      in map2 (map2 (\x f -> x + 0.125f32 * f)) xs flow
  in end[n / 2, m / 3]

-- ---- Stars of seed 001, boxes, convolutions of seed 004
-- ==
-- entry: star1
-- "4096 4096 8" input { 4096i64 4096i64 8i32 }
-- "4096 4096 72" input { 4096i64 4096i64 72i32 }
-- "32768 32768 4" input { 32768i64 32768i64 4i32 }
-- "32768 32768 12" input { 32768i64 32768i64 12i32 }
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 24" input { 16384i64 16384i64 24i32 }
-- "4096 4096 108" input { 4096i64 4096i64 108i32 }
-- "4096 4096 1008" input { 4096i64 4096i64 1008i32 }
-- "16384 16384 108" input { 16384i64 16384i64 108i32 }
-- "16384 16384 1008" input { 16384i64 16384i64 1008i32 }
entry star1 (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      around [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)] mean xs
  in end[n / 2, m / 3]

-- ==
-- entry: star1_nested
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 40" input { 8191i64 8191i64 40i32 }
entry star1_nested (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      nested [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)] mean xs
  in end[n / 2, m / 3]

-- ==
-- entry: star2
-- "4096 4096 8" input { 4096i64 4096i64 8i32 }
-- "4096 4096 72" input { 4096i64 4096i64 72i32 }
-- "32768 32768 4" input { 32768i64 32768i64 4i32 }
-- "32768 32768 12" input { 32768i64 32768i64 12i32 }
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 24" input { 16384i64 16384i64 24i32 }
-- "16384 16384 108" input { 16384i64 16384i64 108i32 }
-- "16384 16384 1008" input { 16384i64 16384i64 1008i32 }
entry star2 (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      around [(-2, 0), (-1, 0), (0, -2), (0, -1), (0, 0), (0, 1), (0, 2), (1, 0), (2, 0)] mean xs
  in end[n / 2, m / 3]

-- ==
-- entry: star4
-- "4096 4096 8" input { 4096i64 4096i64 8i32 }
-- "4096 4096 72" input { 4096i64 4096i64 72i32 }
-- "32768 32768 4" input { 32768i64 32768i64 4i32 }
-- "32768 32768 12" input { 32768i64 32768i64 12i32 }
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 24" input { 16384i64 16384i64 24i32 }
entry star4 (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      around [ (-4, 0)
             , (-3, 0)
             , (-2, 0)
             , (-1, 0)
             , (0, -4)
             , (0, -3)
             , (0, -2)
             , (0, -1)
             , (0, 0)
             , ( 0
               , 1
               )
             , (0, 2)
             , (0, 3)
             , (0, 4)
             , (1, 0)
             , (2, 0)
             , (3, 0)
             , (4, 0)
             ]
             mean
             xs
  in end[n / 2, m / 3]

-- ==
-- entry: star4_nested
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 40" input { 8191i64 8191i64 40i32 }
entry star4_nested (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      nested [ (-4, 0)
             , (-3, 0)
             , (-2, 0)
             , (-1, 0)
             , (0, -4)
             , (0, -3)
             , (0, -2)
             , (0, -1)
             , (0, 0)
             , ( 0
               , 1
               )
             , (0, 2)
             , (0, 3)
             , (0, 4)
             , (1, 0)
             , (2, 0)
             , (3, 0)
             , (4, 0)
             ]
             mean
             xs
  in end[n / 2, m / 3]

-- ==
-- entry: star8
-- "4096 4096 8" input { 4096i64 4096i64 8i32 }
-- "4096 4096 72" input { 4096i64 4096i64 72i32 }
-- "32768 32768 4" input { 32768i64 32768i64 4i32 }
-- "32768 32768 12" input { 32768i64 32768i64 12i32 }
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 24" input { 16384i64 16384i64 24i32 }
entry star8 (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      around [ (-8, 0)
             , (-7, 0)
             , (-6, 0)
             , (-5, 0)
             , (-4, 0)
             , (-3, 0)
             , (-2, 0)
             , (-1, 0)
             , (0, -8)
             , ( 0
               , -7
               )
             , (0, -6)
             , (0, -5)
             , (0, -4)
             , (0, -3)
             , (0, -2)
             , (0, -1)
             , (0, 0)
             , (0, 1)
             , (0, 2)
             , (0, 3)
             , (0, 4)
             , (0, 5)
             , (0, 6)
             , (0, 7)
             , (0, 8)
             , (1, 0)
             , (2, 0)
             , (3, 0)
             , (4, 0)
             , ( 5
               , 0
               )
             , (6, 0)
             , (7, 0)
             , (8, 0)
             ]
             mean
             xs
  in end[n / 2, m / 3]

-- ==
-- entry: star16
-- "4096 4096 8" input { 4096i64 4096i64 8i32 }
-- "4096 4096 72" input { 4096i64 4096i64 72i32 }
-- "32768 32768 4" input { 32768i64 32768i64 4i32 }
-- "32768 32768 12" input { 32768i64 32768i64 12i32 }
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 24" input { 16384i64 16384i64 24i32 }
entry star16 (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      around [ (-16, 0)
             , (-15, 0)
             , (-14, 0)
             , (-13, 0)
             , (-12, 0)
             , (-11, 0)
             , (-10, 0)
             , (-9, 0)
             , ( -8
               , 0
               )
             , (-7, 0)
             , (-6, 0)
             , (-5, 0)
             , (-4, 0)
             , (-3, 0)
             , (-2, 0)
             , (-1, 0)
             , (0, -16)
             , ( 0
               , -15
               )
             , (0, -14)
             , (0, -13)
             , (0, -12)
             , (0, -11)
             , (0, -10)
             , (0, -9)
             , (0, -8)
             , (0, -7)
             , (0, -6)
             , (0, -5)
             , (0, -4)
             , (0, -3)
             , (0, -2)
             , (0, -1)
             , (0, 0)
             , (0, 1)
             , (0, 2)
             , (0, 3)
             , (0, 4)
             , (0, 5)
             , (0, 6)
             , (0, 7)
             , (0, 8)
             , (0, 9)
             , (0, 10)
             , (0, 11)
             , (0, 12)
             , (0, 13)
             , (0, 14)
             , (0, 15)
             , (0, 16)
             , (1, 0)
             , (2, 0)
             , (3, 0)
             , (4, 0)
             , (5, 0)
             , (6, 0)
             , (7, 0)
             , (8, 0)
             , (9, 0)
             , (10, 0)
             , (11, 0)
             , (12, 0)
             , (13, 0)
             , (14, 0)
             , (15, 0)
             , (16, 0)
             ]
             mean
             xs
  in end[n / 2, m / 3]

-- ==
-- entry: box3
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 24" input { 16384i64 16384i64 24i32 }
entry box3 (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      around (map (\k -> (k / 3 - 1, k % 3 - 1)) (iota 9)) mean xs
  in end[n / 2, m / 3]

-- ==
-- entry: box9
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 24" input { 16384i64 16384i64 24i32 }
entry box9 (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      around (map (\k -> (k / 9 - 4, k % 9 - 4)) (iota 81)) mean xs
  in end[n / 2, m / 3]

-- ==
-- entry: box9_nested
-- "8191 8191 8" input { 8191i64 8191i64 8i32 }
-- "8191 8191 40" input { 8191i64 8191i64 40i32 }
entry box9_nested (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      nested (map (\k -> (k / 9 - 4, k % 9 - 4)) (iota 81)) mean xs
  in end[n / 2, m / 3]

def weights : [17]f32 =
  [0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.09, 0.1, 0.11, 0.1, 0.09, 0.08, 0.06, 0.04, 0.03, 0.02, 0.01]

-- 17 x 17, weights that are a product of two vectors.
-- ==
-- entry: conv17
-- "4096 4096 8" input { 4096i64 4096i64 8i32 }
-- "4096 4096 40" input { 4096i64 4096i64 40i32 }
entry conv17 (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      around (map (\k -> (k / 17 - 8, k % 17 - 8)) (iota 289))
             (\v -> 0.5f32 * f32.sum (map2 (\k x -> weights[k / 17] * weights[k % 17] * x) (indices v) v))
             xs
  in end[n / 2, m / 3]

-- ==
-- entry: conv17_nested
-- "4096 4096 8" input { 4096i64 4096i64 8i32 }
-- "4096 4096 40" input { 4096i64 4096i64 40i32 }
entry conv17_nested (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      nested (map (\k -> (k / 17 - 8, k % 17 - 8)) (iota 289))
             (\v -> 0.5f32 * f32.sum (map2 (\k x -> weights[k / 17] * weights[k % 17] * x) (indices v) v))
             xs
  in end[n / 2, m / 3]

-- The same as two passes.
-- ==
-- entry: conv17_passes
-- "4096 4096 8" input { 4096i64 4096i64 8i32 }
-- "4096 4096 40" input { 4096i64 4096i64 40i32 }
entry conv17_passes (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      around (map (\k -> (k - 8, 0)) (iota 17))
             (\v -> 0.5f32 * f32.sum (map2 (*) weights v))
             (around (map (\k -> (0, k - 8)) (iota 17)) (\v -> f32.sum (map2 (*) weights v)) xs)
  in end[n / 2, m / 3]

-- ==
-- entry: conv17_passes_nested
-- "4096 4096 8" input { 4096i64 4096i64 8i32 }
-- "4096 4096 40" input { 4096i64 4096i64 40i32 }
entry conv17_passes_nested (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      nested (map (\k -> (k - 8, 0)) (iota 17))
             (\v -> 0.5f32 * f32.sum (map2 (*) weights v))
             (nested (map (\k -> (0, k - 8)) (iota 17)) (\v -> f32.sum (map2 (*) weights v)) xs)
  in end[n / 2, m / 3]

-- ---- Other boundaries and elements
-- ==
-- entry: star2_mirror
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 24" input { 16384i64 16384i64 24i32 }
entry star2_mirror (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      stencil_2d_with (#mirror, #mirror)
                      [(-2, 0), (-1, 0), (0, -2), (0, -1), (0, 0), (0, 1), (0, 2), (1, 0), (2, 0)]
                      (\() v -> mean v)
                      (rep (rep ()))
                      xs
  in end[n / 2, m / 3]

-- ==
-- entry: star2_wrap
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 24" input { 16384i64 16384i64 24i32 }
entry star2_wrap (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      stencil_2d_with (#wrap, #wrap)
                      [(-2, 0), (-1, 0), (0, -2), (0, -1), (0, 0), (0, 1), (0, 2), (1, 0), (2, 0)]
                      (\() v -> mean v)
                      (rep (rep ()))
                      xs
  in end[n / 2, m / 3]

-- ==
-- entry: star2_constant
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 24" input { 16384i64 16384i64 24i32 }
entry star2_constant (n: i64) (m: i64) (steps: i32) : f32 =
  let end =
    loop xs = plane n m
    for _i < steps do
      stencil_2d_with (#constant 1f32, #constant 1f32)
                      [(-2, 0), (-1, 0), (0, -2), (0, -1), (0, 0), (0, 1), (0, 2), (1, 0), (2, 0)]
                      (\() v -> mean v)
                      (rep (rep ()))
                      xs
  in end[n / 2, m / 3]

-- ==
-- entry: wave
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 24" input { 16384i64 16384i64 24i32 }
entry wave (n: i64) (m: i64) (steps: i32) : f32 =
  let (_, end) =
    loop (before, now) = (plane n m, plane n m)
    for _i < steps do
      ( now
      , stencil_2d [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
                   (\old v -> 2f32 * v[0] - old + 0.25f32 * (v[1] + v[2] + v[3] + v[4] - 4f32 * v[0]))
                   before
                   now
      )
  in end[n / 2, m / 3]

-- ==
-- entry: double
-- "16384 16384 8" input { 16384i64 16384i64 8i32 }
-- "16384 16384 24" input { 16384i64 16384i64 24i32 }
entry double (n: i64) (m: i64) (steps: i32) : f64 =
  let end =
    loop xs = map (map f64.f32) (plane n m)
    for _i < steps do
      stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
                 (\() v -> 0.2f64 * (v[0] + v[1] + v[2] + v[3] + v[4]))
                 (rep (rep ()))
                 xs
  in end[n / 2, m / 3]

-- Lattice Boltzmann (D2Q9): nine fields stream to their neighbours and relax.
-- ==
-- entry: boltzmann
-- "8192 8192 8" input { 8192i64 8192i64 8i32 }
-- "8192 8192 24" input { 8192i64 8192i64 24i32 }
entry boltzmann (n: i64) (m: i64) (steps: i32) : f32 =
  let first = map (map (\x -> (4f32 + x, 1f32, 1f32, 1f32, 1f32, 0.25f32, 0.25f32, 0.25f32, 0.25f32))) (plane n m)
  let end =
    loop xs = first
    for _i < steps do
      stencil_2d_with (#wrap, #wrap)
                      [(0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)]
                      (\() v ->
                         let (c, e, w, s, t) = (v[0].0, v[1].1, v[2].2, v[3].3, v[4].4)
                         let (p, q, r, o) = (v[5].5, v[6].6, v[7].7, v[8].8)
                         let rho = c + e + w + s + t + p + q + r + o
                         let (x, y) = ((e - w + p - q + r - o) / rho, (s - t + p + q - r - o) / rho)
                         let rest = 1f32 - 1.5f32 * (x * x + y * y)
                         let next (f: f32) (k: f32) (d: f32) =
                           f + 1.2f32 * (k * rho * (rest + 3f32 * d + 4.5f32 * d * d) - f)
                         in ( next c 0.44444f32 0f32
                            , next e 0.11111f32 x
                            , next w 0.11111f32 (-x)
                            , next s 0.11111f32 y
                            , next t 0.11111f32 (-y)
                            , next p 0.02778f32 (x + y)
                            , next q 0.02778f32 (y - x)
                            , next r 0.02778f32 (x - y)
                            , next o 0.02778f32 (-x - y)
                            ))
                      (rep (rep ()))
                      xs
  in end[n / 2, m / 3].0
