-- Jacobi iteration on a plane: each cell becomes the mean of itself and its four neighbours.
--
-- run: 10 [[0, 0, 0, 8], [0, 100, 0, 0], [0, 0, 0, 0]]
-- tolerance: 1e-6
-- ==
-- input { 2i32 [[0.0f32, 0.0f32, 0.0f32, 8.0f32], [0.0f32, 100.0f32, 0.0f32, 0.0f32], [0.0f32,
--   0.0f32, 0.0f32, 0.0f32]] }
-- output { [[8.0f32, 12.32f32, 9.6f32, 3.5200002f32], [12.0f32, 20.0f32, 8.639999f32, 5.6f32],
--   [8.0f32, 12.0f32, 8.0f32, 0.32000002f32]] }

-- | `steps` sweeps; cells beyond the edge repeat the edge.
entry main [n] [m] (steps: i32) (xs: [n][m]f32) : [n][m]f32 =
  loop xs for _i < steps do
    stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
               (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
               (rep (rep ()))
               xs
