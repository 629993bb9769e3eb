-- The stencils of Futhark's thesis (seed 000, 4.2), small: blurs, gradient, SRAD, heat, hotspot,
-- Jacobi, and the types f64 and i8. Sizes are not multiples of anything.
-- tolerance: exact

def plane (n: i64) (m: i64) : [n][m]f32 = tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 13) % 64) / 8)

def space (n: i64) (m: i64) (k: i64) : [n][m][k]f32 =
  tabulate_3d n m k (\a b c -> f32.i64 ((a * 3 + b * 7 + c * 13) % 64) / 8)

def star_2d = [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)] : [](i64, i64)

def star_3d =
  [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)] : [](i64, i64, i64)

-- ==
-- entry: gaussian_blur gradient srad hotspot_2d jacobi_2d_5 jacobi_2d_9
-- input { 0i64 3i64 }
-- input { 1i64 1i64 }
-- input { 3i64 2i64 }
-- input { 37i64 41i64 }
entry gaussian_blur (n: i64) (m: i64) =
  let weight (y: i64) (x: i64) = [0.37f32, 0.24f32, 0.06f32][i64.abs y] * [0.37f32, 0.24f32, 0.06f32][i64.abs x]
  let offsets = flatten (tabulate_2d 5 5 (\y x -> (y - 2, x - 2)))
  let blur (v: [25]f32) =
    loop sum = 0 for i < 25 do sum + weight (i / 5 - 2) (i % 5 - 2) * v[i]
  in loop xs = plane n m for _i < 5i32 do stencil_2d offsets (\() v -> blur (v :> [25]f32)) (rep (rep ())) xs

entry gradient (n: i64) (m: i64) =
  stencil_2d star_2d
             (\() v -> 0.25f32 * ((v[2] - v[0]) + (v[2] - v[1]) + (v[3] - v[2]) + (v[4] - v[2])))
             (rep (rep ()))
             (plane n m)

entry srad (n: i64) (m: i64) =
  loop image = map (map (+ 1)) (plane n m)
  for _i < 3i32 do
    let parts =
      stencil_2d star_2d
                 (\() v ->
                    let c = v[2]
                    let (north, west, east, south) = (v[0] - c, v[1] - c, v[3] - c, v[4] - c)
                    let g2 = (north * north + south * south + west * west + east * east) / (c * c)
                    let l = (north + south + west + east) / c
                    let num = 0.5f32 * g2 - (1f32 / 16) * l * l
                    let den = 1 + 0.25f32 * l
                    let q = num / (den * den)
                    let k = 1 / (1 + (q - 0.5f32) / 0.75f32)
                    in (f32.min 1 (f32.max 0 k), (north, south, west, east)))
                 (rep (rep ()))
                 image
    in stencil_2d [(0, 0), (1, 0), (0, 1)]
                  (\c v ->
                     let (k, (north, south, west, east)) = v[0]
                     in c + 0.125f32 * (k * north + v[1].0 * south + k * west + v[2].0 * east))
                  image
                  parts

entry hotspot_2d (n: i64) (m: i64) =
  let power = tabulate_2d n m (\i j -> f32.i64 ((i + j) % 7))
  in loop xs = plane n m
     for _i < 5i32 do
       stencil_2d star_2d
                  (\p v ->
                     v[2]
                     + 0.06f32
                       * (p + ((v[3] - v[2]) + (v[1] - v[2])) / 10 + ((v[4] - v[2]) + (v[0] - v[2])) / 5
                          + (80 - v[2]) / 3))
                  power
                  xs

entry jacobi_2d_5 (n: i64) (m: i64) =
  loop xs = plane n m
  for _i < 5i32 do
    stencil_2d star_2d (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4])) (rep (rep ())) xs

entry jacobi_2d_9 (n: i64) (m: i64) =
  loop xs = plane n m
  for _i < 5i32 do
    stencil_2d [(-2, 0), (-1, 0), (0, -2), (0, -1), (0, 0), (0, 1), (0, 2), (1, 0), (2, 0)]
               (\() v -> 0.1f32 * (v[0] + v[1] + v[2] + v[3] + 2 * v[4] + v[5] + v[6] + v[7] + v[8]))
               (rep (rep ()))
               xs

-- ==
-- entry: poisson_blur heat_3d hotspot_3d jacobi_3d_7 jacobi_3d_13 type_f64 type_i8
-- input { 0i64 1i64 2i64 }
-- input { 1i64 1i64 1i64 }
-- input { 2i64 3i64 1i64 }
-- input { 11i64 9i64 13i64 }
entry poisson_blur (n: i64) (m: i64) (k: i64) =
  loop xs = space n m k
  for _i < 5i32 do
    stencil_3d [ (-1, -1, 0)
               , (-1, 0, -1)
               , (-1, 0, 0)
               , (-1, 0, 1)
               , (-1, 1, 0)
               , (0, -1, -1)
               , (0, -1, 0)
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
               (\() v ->
                  let far = v[0] + v[1] + v[3] + v[4] + v[5] + v[7] + v[11] + v[13] + v[14] + v[15] + v[17] + v[18]
                  let near = v[2] + v[6] + v[8] + v[10] + v[12] + v[16]
                  in 0.4f32 * v[9] + 0.05f32 * near + 0.025f32 * far)
               (rep (rep (rep ())))
               xs

entry heat_3d (n: i64) (m: i64) (k: i64) =
  loop xs = space n m k
  for _i < 5i32 do
    stencil_3d star_3d
               (\() v -> v[3] + 0.125f32 * ((v[0] - 2 * v[3] + v[6]) + (v[1] - 2 * v[3] + v[5]) + (v[2] - 2 * v[3] + v[4])))
               (rep (rep (rep ())))
               xs

entry hotspot_3d (n: i64) (m: i64) (k: i64) =
  let power = tabulate_3d n m k (\a b c -> f32.i64 ((a + b + c) % 7))
  in loop xs = space n m k
     for _i < 5i32 do
       stencil_3d star_3d
                  (\p v ->
                     0.4f32 * v[3] + 0.09f32 * (v[0] + v[6]) + 0.1f32 * (v[1] + v[5]) + 0.11f32 * (v[2] + v[4])
                     + 0.01f32 * p
                     + 0.3f32)
                  power
                  xs

entry jacobi_3d_7 (n: i64) (m: i64) (k: i64) =
  loop xs = space n m k
  for _i < 5i32 do
    stencil_3d star_3d (\() v -> (1f32 / 8) * (v[0] + v[1] + v[2] + 2 * v[3] + v[4] + v[5] + v[6])) (rep (rep (rep ()))) xs

entry jacobi_3d_13 (n: i64) (m: i64) (k: i64) =
  loop xs = space n m k
  for _i < 5i32 do
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
                  (1f32 / 16)
                  * (v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + 4 * v[6] + v[7] + v[8] + v[9] + v[10]
                     + v[11]
                     + v[12]))
               (rep (rep (rep ())))
               xs

entry type_f64 (n: i64) (m: i64) (k: i64) =
  stencil_3d star_3d
             (\() v -> v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6])
             (rep (rep (rep ())))
             (map (map (map f64.f32)) (space n m k))

entry type_i8 (n: i64) (m: i64) (k: i64) =
  stencil_3d star_3d (\() v -> i8.sum v) (rep (rep (rep ()))) (map (map (map i8.f32)) (space n m k))
