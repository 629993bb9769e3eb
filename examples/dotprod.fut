-- The scalar product of two vectors.
--
-- run: [1, 2, 3, 4] [0.5, -1, 2, 0.25]
-- tolerance: 1e-6
-- ==
-- input { [1.0f32, 2.0f32, 3.0f32, 4.0f32] [0.5f32, -1.0f32, 2.0f32, 0.25f32] }
-- output { 5.5f32 }
entry main [n] (xs: [n]f32) (ys: [n]f32) : f32 =
  f32.sum (map2 (*) xs ys)
