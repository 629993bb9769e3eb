-- Float `%` is C's fmod: exact, sign of the first; NaN for divisor 0 or infinite dividend.
-- tolerance: exact
-- ==
-- entry: mod_f32
-- input { [7.5f32, -7.5f32, 7.5f32, -0.0f32, 1e30f32, f32.inf, 3.0f32, 3.0f32, 1.0f32]
--   [2.0f32, 2.0f32, -2.0f32, 3.0f32, 7.0f32, 2.0f32, 0.0f32, f32.inf, f32.nan] }
-- output { [1.5f32, -1.5f32, 1.5f32, -0.0f32, 1.0f32, f32.nan, f32.nan, 3.0f32, f32.nan] }
-- ==
-- entry: mod_f64
-- input { [7.5f64, -7.5f64, 1e300f64, f64.inf] [2.0f64, -2.0f64, 7.0f64, 1.0f64] }
-- output { [1.5f64, -1.5f64, 1.0f64, f64.nan] }
entry mod_f32 [n] (a: [n]f32) (b: [n]f32) = map2 (%) a b
entry mod_f64 [n] (a: [n]f64) (b: [n]f64) = map2 (%) a b
