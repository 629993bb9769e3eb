-- Iterated stencils in the plane: every number of steps around the powers of two that are done at
-- once, every boundary, grids around the sizes of tiles and strips. Results are compared with the
-- interpreter bit by bit.
-- tolerance: exact

def start (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 13) % 64) / 8)

def stepped (edges: (boundary f32, boundary f32)) (n: i64) (m: i64) (steps: i64) =
  loop xs = start n m
  for _i < steps do
    stencil_2d_with edges
                    [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
                    (\() v -> 0.21f32 * (v[0] + 1.1f32 * v[1] + v[2] + v[3] - v[4] / 3f32))
                    (rep (rep ()))
                    xs

-- ==
-- entry: five five_mirror five_wrap five_constant
-- input { 0i64 0i64 3i64 }
-- input { 1i64 1i64 9i64 }
-- input { 2i64 3i64 8i64 }
-- input { 37i64 41i64 0i64 }
-- input { 37i64 41i64 1i64 }
-- input { 37i64 41i64 7i64 }
-- input { 37i64 41i64 8i64 }
-- input { 64i64 32i64 9i64 }
-- input { 33i64 100i64 16i64 }
-- input { 101i64 67i64 23i64 }
entry five (n: i64) (m: i64) (steps: i64) =
  stepped (#clamp, #clamp) n m steps

entry five_mirror (n: i64) (m: i64) (steps: i64) =
  stepped (#mirror, #clamp) n m steps

entry five_wrap (n: i64) (m: i64) (steps: i64) =
  stepped (#wrap, #wrap) n m steps

entry five_constant (n: i64) (m: i64) (steps: i64) =
  stepped (#constant 2.5f32, #wrap) n m steps

-- ==
-- entry: box far_apart lopsided whole double
-- input { 1i64 2i64 5i64 }
-- input { 3i64 2i64 9i64 }
-- input { 53i64 61i64 1i64 }
-- input { 53i64 61i64 6i64 }
-- input { 96i64 128i64 13i64 }
entry box (n: i64) (m: i64) (steps: i64) =
  loop xs = start n m
  for _i < steps do
    stencil_2d_with (#mirror, #mirror)
                    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0), (1, 1)]
                    (\() v -> 0.5f32 * v[4] + 0.0625f32 * (v[0] + v[1] + v[2] + v[3] + v[5] + v[6] + v[7] + v[8]))
                    (rep (rep ()))
                    xs

entry far_apart (n: i64) (m: i64) (steps: i64) =
  loop xs = start n m
  for i < steps do
    stencil_2d [(-2, 0), (0, -2), (0, 0), (0, 2), (2, 0)]
               (\() v -> f32.i64 i + 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
               (rep (rep ()))
               xs

entry lopsided (n: i64) (m: i64) (steps: i64) =
  loop xs = start n m
  for _i < steps do
    stencil_2d_with (#constant 1f32, #mirror)
                    [(1, 3), (0, 1), (2, 0)]
                    (\() v -> v[0] - 0.5f32 * v[1] + 0.25f32 * v[2])
                    (rep (rep ()))
                    xs

entry whole (n: i64) (m: i64) (steps: i64) =
  loop xs = tabulate_2d n m (\i j -> i32.i64 (i * 31 + j * 17))
  for _i < steps do
    stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
               (\() v -> v[0] * 3 - v[1] + v[2] ^ v[3] + (if v[4] > 0 then 1 else v[0]))
               (rep (rep ()))
               xs

entry double (n: i64) (m: i64) (steps: i64) =
  loop xs = tabulate_2d n m (\i j -> f64.i64 (i * 31 + j * 17))
  for _i < steps do
    stencil_2d_with (#clamp, #wrap)
                    [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
                    (\() v -> 0.2f64 * (v[0] + v[1] + v[2] + v[3] + v[4]))
                    (rep (rep ()))
                    xs
