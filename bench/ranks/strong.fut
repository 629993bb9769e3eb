-- Iterated stencils on several GPUs (bench/ranks/run): the results are sums and maxima that need no
-- gathering, so that a run has steps and exchanges alone.
def digest [n] [m] (u: [n][m]f32) =
  (f32.maximum (map f32.maximum u), i32.sum (map (\row -> i32.sum (map (\x -> i32.f32 (x * 100)) row)) u))

entry plane (n: i64) (m: i64) (steps: i32) =
  let heat =
    loop u = tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 13) % 101))
    for _i < steps do
      stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
                 (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
                 (replicate n (replicate m ()))
                 u
  in digest heat

entry space (n: i64) (m: i64) (steps: i32) =
  let heat =
    loop u = tabulate_3d n m m (\i j k -> f32.i64 ((i * 7 + j * 13 + k * 5) % 101))
    for _i < steps do
      stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
                 (\() v -> 0.14f32 * (v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6]))
                 (replicate n (replicate m (replicate m ())))
                 u
  let each = map digest heat
  in (f32.maximum (map (.0) each), i32.sum (map (.1) each))
