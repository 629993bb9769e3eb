-- f32 arithmetic rounds each operation once: no fused multiply-add, no flush of small numbers.
-- tolerance: exact
-- ==
-- entry: arithmetic
-- input { [1.0f32, 0.1f32, 3.4e+38f32, 1e-45f32, -0.0f32, 1.0f32, 16777216.0f32]
--   [3.0f32, 0.2f32, 3.4e+38f32, 0.5f32, 0.0f32, 0.0f32, 1.0f32] }
-- output { [4.0f32, 0.3f32, f32.inf, 0.5f32, 0.0f32, 1.0f32, 16777216.0f32]
--   [-2.0f32, -0.1f32, 0.0f32, -0.5f32, -0.0f32, 1.0f32, 16777215.0f32]
--   [3.0f32, 0.020000001f32, f32.inf, 0.0f32, -0.0f32, 0.0f32, 16777216.0f32]
--   [0.33333334f32, 0.5f32, 1.0f32, 3e-45f32, f32.nan, f32.inf, 16777216.0f32] }
-- ==
-- entry: not_fused
-- input { 1.0002441f32 1.0002441f32 -1.0004883f32 }
-- output { 0.0f32 }
entry arithmetic [n] (a: [n]f32) (b: [n]f32) =
  (map2 (+) a b, map2 (-) a b, map2 (*) a b, map2 (/) a b)

entry not_fused (x: f32) (y: f32) (z: f32) : f32 = x * y + z
