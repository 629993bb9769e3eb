-- Stencils in space, a number of steps each: bench/stencil/run takes the difference between few and
-- many steps. NAME_nested is the same program by tabulate and nested maps, without a stencil.

def cube (n: i64) (m: i64) (k: i64) : [n][m][k]f32 =
  tabulate_3d n m k (\a b c -> f32.i64 ((a * 3 + b * 7 + c * 13) % 1024))

def around [d] [n] [m] [k]
           (offsets: [d](i64, i64, i64))
           (f: f32 -> [d]f32 -> f32)
           (power: [n][m][k]f32)
           (xs: [n][m][k]f32) : *[n][m][k]f32 =
  stencil_3d offsets f power xs

def nested [d] [n] [m] [k]
           (offsets: [d](i64, i64, i64))
           (f: f32 -> [d]f32 -> f32)
           (power: [n][m][k]f32)
           (xs: [n][m][k]f32) : *[n][m][k]f32 =
  tabulate_3d n m k (\a b c ->
                       f power[a, b, c]
                         (map (\(x, y, z) ->
                                 xs[i64.max 0 (i64.min (n - 1) (a + x))
                                   , i64.max 0 (i64.min (m - 1) (b + y))
                                   , i64.max 0 (i64.min (k - 1) (c + z))])
                              offsets))

def mean [d] (v: [d]f32) : f32 = (1f32 / f32.i64 d) * f32.sum v

-- The limit: every cell read and written once.
-- ==
-- entry: copy
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
-- "1024 1024 1024 4" input { 1024i64 1024i64 1024i64 4i32 }
-- "1024 1024 1024 12" input { 1024i64 1024i64 1024i64 12i32 }
entry copy (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end = loop xs = cube n m k for _i < steps do map (map (map (\x -> x * 0.5f32 + 1f32))) xs
  in end[n / 2, m / 3, k / 5]

-- ---- Programs of seed 000

def seven : [7](i64, i64, i64) =
  [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]

-- ==
-- entry: poisson
-- "255 255 255 8" input { 255i64 255i64 255i64 8i32 }
-- "255 255 255 72" input { 255i64 255i64 255i64 72i32 }
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
-- "511 1023 1023 8" input { 511i64 1023i64 1023i64 8i32 }
-- "511 1023 1023 24" input { 511i64 1023i64 1023i64 24i32 }
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
entry poisson (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      around [ (-1, -1, 0)
             , (-1, 0, -1)
             , (-1, 0, 0)
             , (-1, 0, 1)
             , (-1, 1, 0)
             , (0, -1, -1)
             , ( 0
               , -1
               , 0
               )
             , (0, -1, 1)
             , (0, 0, -1)
             , (0, 0, 0)
             , (0, 0, 1)
             , (0, 1, -1)
             , (0, 1, 0)
             , (0, 1, 1)
             , (1, -1, 0)
             , (1, 0, -1)
             , (1, 0, 0)
             , (1, 0, 1)
             , (1, 1, 0)
             ]
             (\_ v -> mean v)
             (rep (rep (rep 0f32)))
             xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: poisson_nested
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
entry poisson_nested (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      nested [ (-1, -1, 0)
             , (-1, 0, -1)
             , (-1, 0, 0)
             , (-1, 0, 1)
             , (-1, 1, 0)
             , (0, -1, -1)
             , ( 0
               , -1
               , 0
               )
             , (0, -1, 1)
             , (0, 0, -1)
             , (0, 0, 0)
             , (0, 0, 1)
             , (0, 1, -1)
             , (0, 1, 0)
             , (0, 1, 1)
             , (1, -1, 0)
             , (1, 0, -1)
             , (1, 0, 0)
             , (1, 0, 1)
             , (1, 1, 0)
             ]
             (\_ v -> mean v)
             (rep (rep (rep 0f32)))
             xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: heat
-- "255 255 255 8" input { 255i64 255i64 255i64 8i32 }
-- "255 255 255 72" input { 255i64 255i64 255i64 72i32 }
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
-- "511 1023 1023 8" input { 511i64 1023i64 1023i64 8i32 }
-- "511 1023 1023 24" input { 511i64 1023i64 1023i64 24i32 }
entry heat (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      around seven
             (\_ v -> v[3] + 0.1f32 * (v[0] + v[1] + v[2] + v[4] + v[5] + v[6] - 6f32 * v[3]))
             (rep (rep (rep 0f32)))
             xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: heat_nested
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
entry heat_nested (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      nested seven
             (\_ v -> v[3] + 0.1f32 * (v[0] + v[1] + v[2] + v[4] + v[5] + v[6] - 6f32 * v[3]))
             (rep (rep (rep 0f32)))
             xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: hotspot
-- "255 255 255 8" input { 255i64 255i64 255i64 8i32 }
-- "255 255 255 72" input { 255i64 255i64 255i64 72i32 }
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
-- "511 1023 1023 8" input { 511i64 1023i64 1023i64 8i32 }
-- "511 1023 1023 24" input { 511i64 1023i64 1023i64 24i32 }
entry hotspot (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let power = tabulate_3d n m k (\a b c -> f32.i64 ((a + b + c) % 7))
  let end =
    loop xs = cube n m k
    for _i < steps do
      around seven
             (\p v ->
                0.4f32 * v[3] + 0.09f32 * (v[0] + v[6]) + 0.1f32 * (v[1] + v[5])
                + 0.11f32 * (v[2] + v[4])
                + 0.01f32 * p
                + 0.3f32)
             power
             xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: hotspot_nested
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
entry hotspot_nested (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let power = tabulate_3d n m k (\a b c -> f32.i64 ((a + b + c) % 7))
  let end =
    loop xs = cube n m k
    for _i < steps do
      nested seven
             (\p v ->
                0.4f32 * v[3] + 0.09f32 * (v[0] + v[6]) + 0.1f32 * (v[1] + v[5])
                + 0.11f32 * (v[2] + v[4])
                + 0.01f32 * p
                + 0.3f32)
             power
             xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: jacobi7
-- "255 255 255 8" input { 255i64 255i64 255i64 8i32 }
-- "255 255 255 72" input { 255i64 255i64 255i64 72i32 }
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
-- "511 1023 1023 8" input { 511i64 1023i64 1023i64 8i32 }
-- "511 1023 1023 24" input { 511i64 1023i64 1023i64 24i32 }
entry jacobi7 (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      around seven (\_ v -> mean v) (rep (rep (rep 0f32))) xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: jacobi7_nested
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
entry jacobi7_nested (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      nested seven (\_ v -> mean v) (rep (rep (rep 0f32))) xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: jacobi13
-- "255 255 255 8" input { 255i64 255i64 255i64 8i32 }
-- "255 255 255 72" input { 255i64 255i64 255i64 72i32 }
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
-- "511 1023 1023 8" input { 511i64 1023i64 1023i64 8i32 }
-- "511 1023 1023 24" input { 511i64 1023i64 1023i64 24i32 }
entry jacobi13 (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      around [ (-2, 0, 0)
             , (-1, 0, 0)
             , (0, -2, 0)
             , (0, -1, 0)
             , (0, 0, -2)
             , (0, 0, -1)
             , (0, 0, 0)
             , (0, 0, 1)
             , (0, 0, 2)
             , (0, 1, 0)
             , (0, 2, 0)
             , (1, 0, 0)
             , (2, 0, 0)
             ]
             (\_ v -> mean v)
             (rep (rep (rep 0f32)))
             xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: jacobi13_nested
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
entry jacobi13_nested (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      nested [ (-2, 0, 0)
             , (-1, 0, 0)
             , (0, -2, 0)
             , (0, -1, 0)
             , (0, 0, -2)
             , (0, 0, -1)
             , (0, 0, 0)
             , (0, 0, 1)
             , (0, 0, 2)
             , (0, 1, 0)
             , (0, 2, 0)
             , (1, 0, 0)
             , (2, 0, 0)
             ]
             (\_ v -> mean v)
             (rep (rep (rep 0f32)))
             xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: type_f64
-- "255 255 255 8" input { 255i64 255i64 255i64 8i32 }
-- "255 255 255 72" input { 255i64 255i64 255i64 72i32 }
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
entry type_f64 (n: i64) (m: i64) (k: i64) (steps: i32) : f64 =
  let end =
    loop xs = map (map (map f64.f32)) (cube n m k)
    for _i < steps do
      stencil_3d seven (\() v -> f64.sum v) (rep (rep (rep ()))) xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: type_i8
-- "255 255 255 8" input { 255i64 255i64 255i64 8i32 }
-- "255 255 255 72" input { 255i64 255i64 255i64 72i32 }
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
entry type_i8 (n: i64) (m: i64) (k: i64) (steps: i32) : i8 =
  let end =
    loop xs = map (map (map i8.f32)) (cube n m k)
    for _i < steps do
      stencil_3d seven (\() v -> i8.sum v) (rep (rep (rep ()))) xs
  in end[n / 2, m / 3, k / 5]

-- ---- Stars of seed 001, a box
-- ==
-- entry: star1
-- "256 256 256 8" input { 256i64 256i64 256i64 8i32 }
-- "256 256 256 72" input { 256i64 256i64 256i64 72i32 }
-- "1024 1024 1024 4" input { 1024i64 1024i64 1024i64 4i32 }
-- "1024 1024 1024 12" input { 1024i64 1024i64 1024i64 12i32 }
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
-- "512 512 512 108" input { 512i64 512i64 512i64 108i32 }
-- "512 512 512 1008" input { 512i64 512i64 512i64 1008i32 }
entry star1 (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      around [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
             (\_ v -> mean v)
             (rep (rep (rep 0f32)))
             xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: star2
-- "256 256 256 8" input { 256i64 256i64 256i64 8i32 }
-- "256 256 256 72" input { 256i64 256i64 256i64 72i32 }
-- "1024 1024 1024 4" input { 1024i64 1024i64 1024i64 4i32 }
-- "1024 1024 1024 12" input { 1024i64 1024i64 1024i64 12i32 }
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
entry star2 (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      around [ (-2, 0, 0)
             , (-1, 0, 0)
             , (0, -2, 0)
             , (0, -1, 0)
             , (0, 0, -2)
             , (0, 0, -1)
             , (0, 0, 0)
             , (0, 0, 1)
             , (0, 0, 2)
             , (0, 1, 0)
             , (0, 2, 0)
             , (1, 0, 0)
             , (2, 0, 0)
             ]
             (\_ v -> mean v)
             (rep (rep (rep 0f32)))
             xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: star4
-- "256 256 256 8" input { 256i64 256i64 256i64 8i32 }
-- "256 256 256 72" input { 256i64 256i64 256i64 72i32 }
-- "1024 1024 1024 4" input { 1024i64 1024i64 1024i64 4i32 }
-- "1024 1024 1024 12" input { 1024i64 1024i64 1024i64 12i32 }
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
entry star4 (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      around [ (-4, 0, 0)
             , (-3, 0, 0)
             , (-2, 0, 0)
             , (-1, 0, 0)
             , (0, -4, 0)
             , (0, -3, 0)
             , (0, -2, 0)
             , (0, -1, 0)
             , (0, 0, -4)
             , (0, 0, -3)
             , (0, 0, -2)
             , (0, 0, -1)
             , (0, 0, 0)
             , (0, 0, 1)
             , ( 0
               , 0
               , 2
               )
             , (0, 0, 3)
             , (0, 0, 4)
             , (0, 1, 0)
             , (0, 2, 0)
             , (0, 3, 0)
             , (0, 4, 0)
             , (1, 0, 0)
             , (2, 0, 0)
             , (3, 0, 0)
             , (4, 0, 0)
             ]
             (\_ v -> mean v)
             (rep (rep (rep 0f32)))
             xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: star4_nested
-- "511 511 511 8" input { 511i64 511i64 511i64 8i32 }
-- "511 511 511 40" input { 511i64 511i64 511i64 40i32 }
entry star4_nested (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      nested [ (-4, 0, 0)
             , (-3, 0, 0)
             , (-2, 0, 0)
             , (-1, 0, 0)
             , (0, -4, 0)
             , (0, -3, 0)
             , (0, -2, 0)
             , (0, -1, 0)
             , (0, 0, -4)
             , (0, 0, -3)
             , (0, 0, -2)
             , (0, 0, -1)
             , (0, 0, 0)
             , (0, 0, 1)
             , ( 0
               , 0
               , 2
               )
             , (0, 0, 3)
             , (0, 0, 4)
             , (0, 1, 0)
             , (0, 2, 0)
             , (0, 3, 0)
             , (0, 4, 0)
             , (1, 0, 0)
             , (2, 0, 0)
             , (3, 0, 0)
             , (4, 0, 0)
             ]
             (\_ v -> mean v)
             (rep (rep (rep 0f32)))
             xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: star8
-- "256 256 256 8" input { 256i64 256i64 256i64 8i32 }
-- "256 256 256 72" input { 256i64 256i64 256i64 72i32 }
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
entry star8 (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      around [ (-8, 0, 0)
             , (-7, 0, 0)
             , (-6, 0, 0)
             , (-5, 0, 0)
             , (-4, 0, 0)
             , (-3, 0, 0)
             , (-2, 0, 0)
             , (-1, 0, 0)
             , (0, -8, 0)
             , (0, -7, 0)
             , (0, -6, 0)
             , (0, -5, 0)
             , (0, -4, 0)
             , (0, -3, 0)
             , (0, -2, 0)
             , (0, -1, 0)
             , (0, 0, -8)
             , (0, 0, -7)
             , (0, 0, -6)
             , (0, 0, -5)
             , (0, 0, -4)
             , (0, 0, -3)
             , (0, 0, -2)
             , (0, 0, -1)
             , (0, 0, 0)
             , (0, 0, 1)
             , (0, 0, 2)
             , (0, 0, 3)
             , ( 0
               , 0
               , 4
               )
             , (0, 0, 5)
             , (0, 0, 6)
             , (0, 0, 7)
             , (0, 0, 8)
             , (0, 1, 0)
             , (0, 2, 0)
             , (0, 3, 0)
             , (0, 4, 0)
             , (0, 5, 0)
             , (0, 6, 0)
             , (0, 7, 0)
             , (0, 8, 0)
             , (1, 0, 0)
             , (2, 0, 0)
             , ( 3
               , 0
               , 0
               )
             , (4, 0, 0)
             , (5, 0, 0)
             , (6, 0, 0)
             , (7, 0, 0)
             , (8, 0, 0)
             ]
             (\_ v -> mean v)
             (rep (rep (rep 0f32)))
             xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: star16
-- "256 256 256 8" input { 256i64 256i64 256i64 8i32 }
-- "256 256 256 72" input { 256i64 256i64 256i64 72i32 }
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
entry star16 (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      around [ (-16, 0, 0)
             , (-15, 0, 0)
             , (-14, 0, 0)
             , (-13, 0, 0)
             , (-12, 0, 0)
             , (-11, 0, 0)
             , ( -10
               , 0
               , 0
               )
             , (-9, 0, 0)
             , (-8, 0, 0)
             , (-7, 0, 0)
             , (-6, 0, 0)
             , (-5, 0, 0)
             , (-4, 0, 0)
             , ( -3
               , 0
               , 0
               )
             , (-2, 0, 0)
             , (-1, 0, 0)
             , (0, -16, 0)
             , (0, -15, 0)
             , (0, -14, 0)
             , (0, -13, 0)
             , (0, -12, 0)
             , (0, -11, 0)
             , (0, -10, 0)
             , (0, -9, 0)
             , (0, -8, 0)
             , (0, -7, 0)
             , ( 0
               , -6
               , 0
               )
             , (0, -5, 0)
             , (0, -4, 0)
             , (0, -3, 0)
             , (0, -2, 0)
             , (0, -1, 0)
             , (0, 0, -16)
             , ( 0
               , 0
               , -15
               )
             , (0, 0, -14)
             , (0, 0, -13)
             , (0, 0, -12)
             , (0, 0, -11)
             , (0, 0, -10)
             , (0, 0, -9)
             , (0, 0, -8)
             , (0, 0, -7)
             , (0, 0, -6)
             , (0, 0, -5)
             , (0, 0, -4)
             , (0, 0, -3)
             , (0, 0, -2)
             , (0, 0, -1)
             , (0, 0, 0)
             , (0, 0, 1)
             , (0, 0, 2)
             , (0, 0, 3)
             , (0, 0, 4)
             , (0, 0, 5)
             , ( 0
               , 0
               , 6
               )
             , (0, 0, 7)
             , (0, 0, 8)
             , (0, 0, 9)
             , (0, 0, 10)
             , (0, 0, 11)
             , (0, 0, 12)
             , (0, 0, 13)
             , (0, 0, 14)
             , (0, 0, 15)
             , (0, 0, 16)
             , (0, 1, 0)
             , (0, 2, 0)
             , (0, 3, 0)
             , (0, 4, 0)
             , ( 0
               , 5
               , 0
               )
             , (0, 6, 0)
             , (0, 7, 0)
             , (0, 8, 0)
             , (0, 9, 0)
             , (0, 10, 0)
             , (0, 11, 0)
             , ( 0
               , 12
               , 0
               )
             , (0, 13, 0)
             , (0, 14, 0)
             , (0, 15, 0)
             , (0, 16, 0)
             , (1, 0, 0)
             , (2, 0, 0)
             , (3, 0, 0)
             , (4, 0, 0)
             , (5, 0, 0)
             , (6, 0, 0)
             , (7, 0, 0)
             , (8, 0, 0)
             , (9, 0, 0)
             , (10, 0, 0)
             , ( 11
               , 0
               , 0
               )
             , (12, 0, 0)
             , (13, 0, 0)
             , (14, 0, 0)
             , (15, 0, 0)
             , (16, 0, 0)
             ]
             (\_ v -> mean v)
             (rep (rep (rep 0f32)))
             xs
  in end[n / 2, m / 3, k / 5]

-- ==
-- entry: box3
-- "512 512 512 8" input { 512i64 512i64 512i64 8i32 }
-- "512 512 512 40" input { 512i64 512i64 512i64 40i32 }
entry box3 (n: i64) (m: i64) (k: i64) (steps: i32) : f32 =
  let end =
    loop xs = cube n m k
    for _i < steps do
      around (map (\i -> (i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1)) (iota 27))
             (\_ v -> mean v)
             (rep (rep (rep 0f32)))
             xs
  in end[n / 2, m / 3, k / 5]
