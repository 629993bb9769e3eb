-- Iterated stencils on lines and in space.
-- tolerance: exact
-- ==
-- entry: line ring
-- input { 0i64 4i64 }
-- input { 1i64 4i64 }
-- input { 2i64 17i64 }
-- input { 255i64 16i64 }
-- input { 1100i64 9i64 }
entry line (n: i64) (steps: i64) =
  loop xs = map (\i -> f32.i64 (i * i % 97)) (iota n)
  for _i < steps do
    stencil_1d [-1, 0, 1] (\() v -> 0.25f32 * v[0] + 0.5f32 * v[1] + 0.25f32 * v[2]) (rep ()) xs

entry ring (n: i64) (steps: i64) =
  loop xs = map (\i -> i * i % 97) (iota n)
  for i < steps do
    stencil_1d_with #wrap [-2, 0, 1] (\() v -> v[0] + v[1] - i * v[2]) (rep ()) xs

-- ==
-- entry: space torus
-- input { 0i64 2i64 3i64 2i64 }
-- input { 1i64 1i64 1i64 5i64 }
-- input { 3i64 2i64 5i64 4i64 }
-- input { 9i64 17i64 20i64 1i64 }
-- input { 9i64 17i64 20i64 7i64 }
entry space (n: i64) (m: i64) (k: i64) (steps: i64) =
  loop xs = tabulate_3d n m k (\a b c -> f32.i64 (a * 3 + b * 5 + c * 7))
  for _i < steps do
    stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
               (\() v -> 0.125f32 * (v[0] + v[1] + v[2] + 2f32 * v[3] + v[4] + v[5] + v[6]))
               (rep (rep (rep ())))
               xs

entry torus (n: i64) (m: i64) (k: i64) (steps: i64) =
  loop xs = tabulate_3d n m k (\a b c -> f32.i64 (a * 3 + b * 5 + c * 7))
  for _i < steps do
    stencil_3d_with (#wrap, #mirror, #wrap)
                    [(-1, 0, 0), (0, -1, 0), (0, 0, -2), (0, 0, 0), (0, 0, 1)]
                    (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
                    (rep (rep (rep ())))
                    xs
