-- Iterated stencils in space whose reach is 1: workgroups go through space with several steps at
-- once. Every boundary but wrap, boxes, several arrays, f64, sizes around those of tiles.
-- tolerance: exact

def start (n: i64) (m: i64) (k: i64) : [n][m][k]f32 =
  tabulate_3d n m k (\a b c -> f32.i64 ((a * 3 + b * 5 + c * 7) % 64) / 8)

-- ==
-- entry: star edges box lopsided heated wave two_stages double ints
-- input { 0i64 2i64 4i64 3i64 }
-- input { 1i64 1i64 1i64 5i64 }
-- input { 1i64 2i64 3i64 4i64 }
-- input { 3i64 2i64 5i64 0i64 }
-- input { 7i64 11i64 13i64 1i64 }
-- input { 7i64 11i64 16i64 2i64 }
-- input { 5i64 29i64 28i64 3i64 }
-- input { 40i64 17i64 24i64 4i64 }
-- input { 9i64 33i64 61i64 5i64 }
entry star (n: i64) (m: i64) (k: i64) (steps: i64) =
  loop xs = start n m k
  for _i < steps do
    stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
               (\() v -> 0.125f32 * (v[0] + 1.1f32 * v[1] + v[2] + 2f32 * v[3] - v[4] + v[5] / 3f32 + v[6]))
               (rep (rep (rep ())))
               xs

entry edges (n: i64) (m: i64) (k: i64) (steps: i64) =
  loop xs = start n m k
  for i < steps do
    stencil_3d_with (#constant 1f32, #mirror, #constant 2.5f32)
                    [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 1, 1)]
                    (\() v -> 0.125f32 * (v[0] + 1.1f32 * v[1] + v[2] + f32.i64 i * v[3] - v[4] + v[5] + v[6]))
                    (rep (rep (rep ())))
                    xs

entry box (n: i64) (m: i64) (k: i64) (steps: i64) =
  loop xs = start n m k
  for _i < steps do
    stencil_3d_with (#mirror, #clamp, #clamp)
                    (map (\i -> (i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1)) (iota 27))
                    (\() v -> 0.5f32 * (v[0] - v[1] * v[2] + v[5] + v[7] - v[9] + v[13] / (1f32 + v[14] * v[14]) + v[20] - v[26]))
                    (rep (rep (rep ())))
                    xs

entry lopsided (n: i64) (m: i64) (k: i64) (steps: i64) =
  loop xs = start n m k
  for _i < steps do
    stencil_3d_with (#clamp, #constant 7f32, #mirror)
                    [(0, 1, 0), (1, -1, 0), (-1, 1, 1)]
                    (\() v -> v[0] - 0.5f32 * v[1] + 0.25f32 * v[2])
                    (rep (rep (rep ())))
                    xs

entry heated (n: i64) (m: i64) (k: i64) (steps: i64) =
  let power = tabulate_3d n m k (\a b c -> f32.i64 (a + b - c))
  in loop xs = start n m k
     for _i < steps do
       stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
                  (\p v -> 0.1f32 * (v[0] + v[1] + v[2] + v[4] + v[5] + v[6]) + 0.3f32 * v[3] + 0.01f32 * p)
                  power
                  xs

entry wave (n: i64) (m: i64) (k: i64) (steps: i64) =
  loop (before, now) = (start n m k, start n m k)
  for _i < steps do
    ( now
    , stencil_3d_with (#mirror, #constant 0f32, #clamp)
                      [(0, 0, 0), (-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, 1)]
                      (\old v -> 2f32 * v[0] - old + 0.25f32 * (v[1] + v[2] + v[3] + v[4] + v[5] - 5f32 * v[0]))
                      before
                      now
    )

entry two_stages (n: i64) (m: i64) (k: i64) (steps: i64) =
  loop xs = start n m k
  for _i < steps do
    let ys = stencil_3d [(0, 0, 0), (0, 1, 0), (1, 0, 0)] (\() v -> v[1] - v[0] + 0.5f32 * v[2]) (rep (rep (rep ()))) xs
    in stencil_3d [(0, 0, 0), (0, -1, 0), (-1, 0, 0)] (\x v -> x + 0.1f32 * (v[0] - v[1] + v[2])) xs ys

entry double (n: i64) (m: i64) (k: i64) (steps: i64) =
  loop xs = map (map (map f64.f32)) (start n m k)
  for _i < steps do
    stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, 0), (0, 0, 1), (0, 1, 0)]
               (\() v -> 0.2f64 * (v[0] + v[1] / 3f64 + v[2] - v[3] + v[4]))
               (rep (rep (rep ())))
               xs

entry ints (n: i64) (m: i64) (k: i64) (steps: i64) =
  loop xs = tabulate_3d n m k (\a b c -> i32.i64 (a * 100 + b * 10 + c))
  for i < steps do
    stencil_3d [(-1, 0, 0), (0, 0, 0), (0, 0, 1), (0, 1, 0)]
               (\() v -> v[0] * 3 - v[1] + v[2] * i32.i64 i + v[3])
               (rep (rep (rep ())))
               xs
