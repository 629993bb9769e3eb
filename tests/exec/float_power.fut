-- `**` on floats: one definition for all engines, with the special cases of C.
-- tolerance: exact
-- ==
-- entry: main
-- input { [2f32, 2f32, -2f32, -2f32, 0f32, -0f32, 0f32, f32.inf, -f32.inf, -1f32, 0.5f32, f32.nan,
--          1f32, -8f32, 10f32, 10f32, 1.0000001f32]
--         [10f32, 0.5f32, 3f32, -2f32, -1f32, -1f32, 0f32, -1f32, 3f32, f32.inf, f32.inf, 0f32,
--          f32.nan, 0.33333334f32, -45f32, 39f32, 1e9f32] }
-- output { [1024f32, 1.4142135f32, -8f32, 0.25f32, f32.inf, -f32.inf, 1f32, 0f32, -f32.inf, 1f32,
--           0f32, 1f32, 1f32, f32.nan, 1e-45f32, f32.inf, f32.inf] }
entry main [n] (xs: [n]f32) (ys: [n]f32) : [n]f32 = map2 (**) xs ys

-- ==
-- entry: doubles
-- input { [2f64, 0.1f64, -3f64, 1.5f64, 2f64, -8f64]
--         [0.5f64, 3f64, 5f64, -700f64, -1074f64, 0.5f64] }
-- output { [1.4142135623730951f64, 0.0010000000000000002f64, -243f64, 5.446514460510651e-124f64,
--           5e-324f64, f64.nan] }
entry doubles [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 (f64.**) xs ys

-- ==
-- entry: halves
-- input { [2f16, 2f16, -3f16] [0.5f16, 15f16, 3f16] }
-- output { [1.4142f16, 32768f16, -27f16] }
entry halves [n] (xs: [n]f16) (ys: [n]f16) : [n]f16 = map2 (\x y -> x ** y) xs ys

-- Constants are not folded in another way.
-- ==
-- entry: constant
-- input { 1f32 } output { 1.0717734f32 1.3195079107728942f64 }
entry constant (x: f32) : (f32, f64) = (x * 2f32 ** 0.1f32, 2f64 ** 0.4f64)
