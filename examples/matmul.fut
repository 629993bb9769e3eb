-- The product of two matrices: every row of the first with every column of the second.
--
-- run: [[1, 2, 3], [4, 5, 6]] [[1, 0], [0, 1], [1, 1]]
-- tolerance: 1e-6
-- ==
-- input { [[1.0f32, 2.0f32, 3.0f32], [4.0f32, 5.0f32, 6.0f32]] [[0.5f32, -1.0f32, 2.0f32, 0.0f32],
--   [1.5f32, 3.0f32, -2.0f32, 1.0f32], [0.25f32, 4.0f32, -0.5f32, 1.0f32]] }
-- output { [[4.25f32, 17.0f32, -3.5f32, 5.0f32], [11.0f32, 35.0f32, -5.0f32, 11.0f32]] }
entry main [n] [k] [m] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a
