-- `min` and `max`: a NaN loses, -0 is below +0.
-- tolerance: exact
-- ==
-- entry: min_max_f32
-- input { [1.0f32, f32.nan, 2.0f32, f32.nan, -0.0f32, 0.0f32, -f32.inf]
--   [2.0f32, 3.0f32, f32.nan, f32.nan, 0.0f32, -0.0f32, 1.0f32] }
-- output { [1.0f32, 3.0f32, 2.0f32, f32.nan, -0.0f32, -0.0f32, -f32.inf]
--   [2.0f32, 3.0f32, 2.0f32, f32.nan, 0.0f32, 0.0f32, 1.0f32] }
-- ==
-- entry: min_max_f64
-- input { [f64.nan, -0.0f64] [1.0f64, 0.0f64] }
-- output { [1.0f64, -0.0f64] [1.0f64, 0.0f64] }
-- ==
-- entry: min_max_u8
-- input { [255u8, 1u8] [1u8, 2u8] }
-- output { [1u8, 1u8] [255u8, 2u8] }
entry min_max_f32 [n] (a: [n]f32) (b: [n]f32) = (map2 f32.min a b, map2 f32.max a b)
entry min_max_f64 [n] (a: [n]f64) (b: [n]f64) = (map2 f64.min a b, map2 f64.max a b)
entry min_max_u8 [n] (a: [n]u8) (b: [n]u8) = (map2 u8.min a b, map2 u8.max a b)
