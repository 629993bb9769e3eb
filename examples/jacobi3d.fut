-- Jacobi iteration in space: each cell becomes a weighted mean of itself and its six neighbours.
--
-- run: 10 [[[0, 0], [0, 64]], [[0, 0], [0, 8]]]
-- tolerance: 1e-6
-- ==
-- input { 2i32 [[[0.0f32, 0.0f32, 0.0f32], [0.0f32, 64.0f32, 0.0f32], [0.0f32, 0.0f32, 0.0f32]],
--   [[0.0f32, 0.0f32, 0.0f32], [0.0f32, 0.0f32, 0.0f32], [0.0f32, 0.0f32, 8.0f32]]] }
-- output { [[[2.0f32, 7.0f32, 2.0f32], [7.0f32, 14.0f32, 7.25f32], [2.0f32, 7.25f32, 3.25f32]],
--   [[0.0f32, 2.0f32, 0.125f32], [2.0f32, 6.25f32, 3.125f32], [0.125f32, 3.125f32, 3.5f32]]] }

-- | `steps` sweeps with weight 1/4 for the cell and 1/8 for each neighbour; cells beyond the edge
-- repeat the edge.
entry main [k] [n] [m] (steps: i32) (xs: [k][n][m]f32) : [k][n][m]f32 =
  loop xs for _i < steps do
    stencil_3d [(0, 0, 0), (-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)]
               (\() v -> 0.25f32 * v[0] + 0.125f32 * (v[1] + v[2] + v[3] + v[4] + v[5] + v[6]))
               (rep (rep (rep ())))
               xs
