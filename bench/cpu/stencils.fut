-- Stencils, against stencils.cpp: bench/cpu/run.

def clamped [n] [m] [d] (offsets: [d](i64, i64)) (f: [d]f32 -> f32) (xs: [n][m]f32) : *[n][m]f32 =
  stencil_2d offsets (\() v -> f v) (rep (rep ())) xs

-- ==
-- entry: hotspot
-- "hotspot" random input { 50i32 [1024][1024]f32 [1024][1024]f32 }
entry hotspot [n] [m] (steps: i32) (temp: [n][m]f32) (power: [n][m]f32) : [n][m]f32 =
  let (rate, gx, gy, gz) = (0.3f32, 0.1f32, 0.15f32, 0.05f32)
  in loop temp for _i < steps do
       stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
                  (\p v ->
                     v[2]
                     + rate
                       * (p + (v[3] + v[1] - 2 * v[2]) * gx + (v[4] + v[0] - 2 * v[2]) * gy
                          + (80 - v[2]) * gz))
                  power
                  temp

-- ==
-- entry: hotspot3d
-- "hotspot3d" random input { 20i32 [8][512][512]f32 [8][512][512]f32 }
entry hotspot3d [k] [n] [m] (steps: i32) (power: [k][n][m]f32) (temp: [k][n][m]f32) : [k][n][m]f32 =
  let (c, y, x, z, w) = (0.4f32, 0.1f32, 0.12f32, 0.08f32, 0.3f32)
  in loop t = temp
     for _i < steps do
       stencil_3d [(0, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0)]
                  (\p v ->
                     v[0] * c + v[1] * y + v[2] * y + v[3] * x + v[4] * x + v[5] * z + v[6] * z
                     + w * p
                     + z * 80)
                  power
                  t

-- ==
-- entry: srad
-- "srad" random input { 10i32 [1024][1024]f32 }
entry srad [n] [m] (steps: i32) (image: [n][m]f32) : [n][m]f32 =
  loop image = map (map (+ 1)) image
  for _i < steps do
    let (sum, squares) =
      reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map (\x -> (x, x * x)) (flatten image))
    let mean = sum / f32.i64 (n * m)
    let q0 = (squares / f32.i64 (n * m) - mean * mean) / (mean * mean)
    let cells =
      stencil_2d [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
                 (\() v ->
                    let (x, north, south) = (v[0], v[1] - v[0], v[2] - v[0])
                    let (west, east) = (v[3] - x, v[4] - x)
                    let g = (north * north + south * south + west * west + east * east) / (x * x)
                    let l = (north + south + west + east) / x
                    let d = 1 + 0.25 * l
                    let q = (0.5 * g - l * l / 16) / (d * d)
                    let c = 1 / (1 + (q - q0) / (q0 * (1 + q0)))
                    in (f32.max 0 (f32.min 1 c), north, south, west, east))
                 (rep (rep ()))
                 image
    let flow =
      stencil_2d [(0, 0), (1, 0), (0, 1)]
                 (\(_, north, south, west, east) c -> c[0] * (north + west) + c[1] * south + c[2] * east)
                 cells
                 (map (map (.0)) cells)
    in map2 (map2 (\x f -> x + 0.125 * f)) image flow

-- ==
-- entry: jacobi5
-- "jacobi5" random input { 5i32 [4096][4096]f32 }
entry jacobi5 [n] [m] (steps: i32) (xs: [n][m]f32) : [n][m]f32 =
  loop xs for _i < steps do
    clamped [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
            (\v -> 0.2 * (v[0] + v[1] + v[2] + v[3] + v[4]))
            xs

-- One step, beside a loop that only reads as much and writes as much past the caches.
-- ==
-- entry: jacobi5_stream
-- "jacobi5_stream" random input { 1i32 [8192][8192]f32 }
entry jacobi5_stream [n] [m] (steps: i32) (xs: [n][m]f32) : [n][m]f32 = jacobi5 steps xs

-- ==
-- entry: jacobi5_cached
-- "jacobi5_cached" random input { 100i32 [512][512]f32 }
entry jacobi5_cached [n] [m] (steps: i32) (xs: [n][m]f32) : [n][m]f32 = jacobi5 steps xs

-- ==
-- entry: jacobi9
-- "jacobi9" random input { 5i32 [4096][4096]f32 }
entry jacobi9 [n] [m] (steps: i32) (xs: [n][m]f32) : [n][m]f32 =
  loop xs for _i < steps do
    clamped [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0), (1, 1)]
            (\v -> 0.11 * (v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7] + v[8]))
            xs

-- ==
-- entry: jacobi3d7
-- "jacobi3d7" random input { 3i32 [256][256][256]f32 }
entry jacobi3d7 [k] [n] [m] (steps: i32) (xs: [k][n][m]f32) : [k][n][m]f32 =
  loop xs for _i < steps do
    stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
               (\() v -> 0.14 * (v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6]))
               (rep (rep (rep ())))
               xs

-- ==
-- entry: jacobi3d13
-- "jacobi3d13" random input { 3i32 [256][256][256]f32 }
entry jacobi3d13 [k] [n] [m] (steps: i32) (xs: [k][n][m]f32) : [k][n][m]f32 =
  loop xs for _i < steps do
    stencil_3d [ (-2, 0, 0)
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
               (\() v ->
                  0.07
                  * (v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7] + v[8] + v[9] + v[10]
                     + v[11]
                     + v[12]))
               (rep (rep (rep ())))
               xs

def weighted [d] (weights: [d]f32) (v: [d]f32) : f32 = f32.sum (map2 (*) weights v)

def box (r: i64) =
  tabulate ((2 * r + 1) * (2 * r + 1)) (\i -> (i / (2 * r + 1) - r, i % (2 * r + 1) - r))

def line (r: i64) = tabulate (2 * r + 1) (\i -> i - r)
def bell (r: i64) (i: i64) : f32 = 1 / f32.i64 (1 + i * i) / f32.i64 r

def plain [n] [m] (r: i64) (xs: [n][m]f32) : [n][m]f32 =
  let cells = box r
  in clamped cells (weighted (map (\(y, x) -> bell r y * bell r x) cells)) xs

def separable [n] [m] (r: i64) (xs: [n][m]f32) : [n][m]f32 =
  let weights = map (bell r) (line r)
  in clamped (map (\i -> (i, 0)) (line r))
             (weighted weights)
             (clamped (map (\i -> (0, i)) (line r)) (weighted weights) xs)

-- ==
-- entry: gauss5
-- "gauss5" random input { [2048][2048]f32 }
entry gauss5 [n] [m] (xs: [n][m]f32) : [n][m]f32 = plain 2 xs

-- ==
-- entry: gauss17
-- "gauss17" random input { [1024][1024]f32 }
entry gauss17 [n] [m] (xs: [n][m]f32) : [n][m]f32 = plain 8 xs

-- ==
-- entry: gauss5_separable
-- "gauss5_separable" random input { [2048][2048]f32 }
entry gauss5_separable [n] [m] (xs: [n][m]f32) : [n][m]f32 = separable 2 xs

-- ==
-- entry: gauss17_separable
-- "gauss17_separable" random input { [2048][2048]f32 }
entry gauss17_separable [n] [m] (xs: [n][m]f32) : [n][m]f32 = separable 8 xs

def star [n] [m] (r: i64) (xs: [n][m]f32) : [n][m]f32 =
  let arm = tabulate r (+ 1)
  let cells =
    [(0, 0)] ++ map (\i -> (-i, 0)) arm ++ map (\i -> (i, 0)) arm
    ++ map (\i -> (0, -i)) arm
    ++ map (\i -> (0, i)) arm
  in clamped cells (\v -> f32.sum v * 0.1) xs

-- ==
-- entry: star1
-- "star1" random input { [4096][4096]f32 }
entry star1 [n] [m] (xs: [n][m]f32) : [n][m]f32 = star 1 xs

-- ==
-- entry: star2
-- "star2" random input { [4096][4096]f32 }
entry star2 [n] [m] (xs: [n][m]f32) : [n][m]f32 = star 2 xs

-- ==
-- entry: star4
-- "star4" random input { [4096][4096]f32 }
entry star4 [n] [m] (xs: [n][m]f32) : [n][m]f32 = star 4 xs

-- ==
-- entry: star8
-- "star8" random input { [4096][4096]f32 }
entry star8 [n] [m] (xs: [n][m]f32) : [n][m]f32 = star 8 xs

-- ==
-- entry: star16
-- "star16" random input { [4096][4096]f32 }
entry star16 [n] [m] (xs: [n][m]f32) : [n][m]f32 = star 16 xs

-- ==
-- entry: life
-- "life" random input { 20i32 [2048][2048]u8 }
entry life [n] [m] (steps: i32) (board: [n][m]u8) : [n][m]u8 =
  loop board = map (map (& 1)) board
  for _i < steps do
    stencil_2d [(0, 0), (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
               (\() v ->
                  let alive = v[0] == 1
                  let count = v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7] + v[8]
                  in if count == 3 || (alive && count == 2) then 1 else 0)
               (rep (rep ()))
               board
