-- The elementary functions on 2^16 numbers, one entry each, against libm: bench/math/run.

-- ==
-- entry: f32_exp
-- "f32_exp" random input { [65536]f32 }
entry f32_exp [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.exp (20 * x + (-10))) xs

-- ==
-- entry: f32_log
-- "f32_log" random input { [65536]f32 }
entry f32_log [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.log (9.99 * x + 0.01)) xs

-- ==
-- entry: f32_log2
-- "f32_log2" random input { [65536]f32 }
entry f32_log2 [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.log2 (9.99 * x + 0.01)) xs

-- ==
-- entry: f32_log10
-- "f32_log10" random input { [65536]f32 }
entry f32_log10 [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.log10 (9.99 * x + 0.01)) xs

-- ==
-- entry: f32_log1p
-- "f32_log1p" random input { [65536]f32 }
entry f32_log1p [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.log1p (9.99 * x + 0.01)) xs

-- ==
-- entry: f32_sin
-- "f32_sin" random input { [65536]f32 }
entry f32_sin [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.sin (20 * x + (-10))) xs

-- ==
-- entry: f32_cos
-- "f32_cos" random input { [65536]f32 }
entry f32_cos [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.cos (20 * x + (-10))) xs

-- ==
-- entry: f32_tan
-- "f32_tan" random input { [65536]f32 }
entry f32_tan [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.tan (20 * x + (-10))) xs

-- ==
-- entry: f32_asin
-- "f32_asin" random input { [65536]f32 }
entry f32_asin [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.asin (2 * x + (-1))) xs

-- ==
-- entry: f32_acos
-- "f32_acos" random input { [65536]f32 }
entry f32_acos [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.acos (2 * x + (-1))) xs

-- ==
-- entry: f32_atan
-- "f32_atan" random input { [65536]f32 }
entry f32_atan [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.atan (20 * x + (-10))) xs

-- ==
-- entry: f32_sinh
-- "f32_sinh" random input { [65536]f32 }
entry f32_sinh [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.sinh (10 * x + (-5))) xs

-- ==
-- entry: f32_cosh
-- "f32_cosh" random input { [65536]f32 }
entry f32_cosh [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.cosh (10 * x + (-5))) xs

-- ==
-- entry: f32_tanh
-- "f32_tanh" random input { [65536]f32 }
entry f32_tanh [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.tanh (10 * x + (-5))) xs

-- ==
-- entry: f32_asinh
-- "f32_asinh" random input { [65536]f32 }
entry f32_asinh [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.asinh (20 * x + (-10))) xs

-- ==
-- entry: f32_acosh
-- "f32_acosh" random input { [65536]f32 }
entry f32_acosh [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.acosh (9 * x + 1)) xs

-- ==
-- entry: f32_atanh
-- "f32_atanh" random input { [65536]f32 }
entry f32_atanh [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.atanh (1.98 * x + (-0.99))) xs

-- ==
-- entry: f32_cbrt
-- "f32_cbrt" random input { [65536]f32 }
entry f32_cbrt [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.cbrt (20 * x + (-10))) xs

-- ==
-- entry: f32_erf
-- "f32_erf" random input { [65536]f32 }
entry f32_erf [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.erf (6 * x + (-3))) xs

-- ==
-- entry: f32_erfc
-- "f32_erfc" random input { [65536]f32 }
entry f32_erfc [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.erfc (6 * x + (-3))) xs

-- ==
-- entry: f32_gamma
-- "f32_gamma" random input { [65536]f32 }
entry f32_gamma [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.gamma (9.5 * x + 0.5)) xs

-- ==
-- entry: f32_lgamma
-- "f32_lgamma" random input { [65536]f32 }
entry f32_lgamma [n] (xs: [n]f32) : [n]f32 = map (\x -> f32.lgamma (9.5 * x + 0.5)) xs

-- ==
-- entry: f32_pow
-- "f32_pow" random input { [65536]f32 [65536]f32 }
entry f32_pow [n] (xs: [n]f32) (ys: [n]f32) : [n]f32 =
  let near (x: f32) = 9.9 * x + 0.1
  in map2 (\x y -> (**) (near x) (near y)) xs ys

-- ==
-- entry: f32_atan2
-- "f32_atan2" random input { [65536]f32 [65536]f32 }
entry f32_atan2 [n] (xs: [n]f32) (ys: [n]f32) : [n]f32 =
  let near (x: f32) = 10 * x + (-5)
  in map2 (\x y -> f32.atan2 (near x) (near y)) xs ys

-- ==
-- entry: f32_hypot
-- "f32_hypot" random input { [65536]f32 [65536]f32 }
entry f32_hypot [n] (xs: [n]f32) (ys: [n]f32) : [n]f32 =
  let near (x: f32) = 10 * x + (-5)
  in map2 (\x y -> f32.hypot (near x) (near y)) xs ys

-- ==
-- entry: f64_exp
-- "f64_exp" random input { [65536]f64 }
entry f64_exp [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.exp (20 * x + (-10))) xs

-- ==
-- entry: f64_log
-- "f64_log" random input { [65536]f64 }
entry f64_log [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.log (9.99 * x + 0.01)) xs

-- ==
-- entry: f64_log2
-- "f64_log2" random input { [65536]f64 }
entry f64_log2 [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.log2 (9.99 * x + 0.01)) xs

-- ==
-- entry: f64_log10
-- "f64_log10" random input { [65536]f64 }
entry f64_log10 [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.log10 (9.99 * x + 0.01)) xs

-- ==
-- entry: f64_log1p
-- "f64_log1p" random input { [65536]f64 }
entry f64_log1p [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.log1p (9.99 * x + 0.01)) xs

-- ==
-- entry: f64_sin
-- "f64_sin" random input { [65536]f64 }
entry f64_sin [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.sin (20 * x + (-10))) xs

-- ==
-- entry: f64_cos
-- "f64_cos" random input { [65536]f64 }
entry f64_cos [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.cos (20 * x + (-10))) xs

-- ==
-- entry: f64_tan
-- "f64_tan" random input { [65536]f64 }
entry f64_tan [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.tan (20 * x + (-10))) xs

-- ==
-- entry: f64_asin
-- "f64_asin" random input { [65536]f64 }
entry f64_asin [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.asin (2 * x + (-1))) xs

-- ==
-- entry: f64_acos
-- "f64_acos" random input { [65536]f64 }
entry f64_acos [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.acos (2 * x + (-1))) xs

-- ==
-- entry: f64_atan
-- "f64_atan" random input { [65536]f64 }
entry f64_atan [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.atan (20 * x + (-10))) xs

-- ==
-- entry: f64_sinh
-- "f64_sinh" random input { [65536]f64 }
entry f64_sinh [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.sinh (10 * x + (-5))) xs

-- ==
-- entry: f64_cosh
-- "f64_cosh" random input { [65536]f64 }
entry f64_cosh [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.cosh (10 * x + (-5))) xs

-- ==
-- entry: f64_tanh
-- "f64_tanh" random input { [65536]f64 }
entry f64_tanh [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.tanh (10 * x + (-5))) xs

-- ==
-- entry: f64_asinh
-- "f64_asinh" random input { [65536]f64 }
entry f64_asinh [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.asinh (20 * x + (-10))) xs

-- ==
-- entry: f64_acosh
-- "f64_acosh" random input { [65536]f64 }
entry f64_acosh [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.acosh (9 * x + 1)) xs

-- ==
-- entry: f64_atanh
-- "f64_atanh" random input { [65536]f64 }
entry f64_atanh [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.atanh (1.98 * x + (-0.99))) xs

-- ==
-- entry: f64_cbrt
-- "f64_cbrt" random input { [65536]f64 }
entry f64_cbrt [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.cbrt (20 * x + (-10))) xs

-- ==
-- entry: f64_erf
-- "f64_erf" random input { [65536]f64 }
entry f64_erf [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.erf (6 * x + (-3))) xs

-- ==
-- entry: f64_erfc
-- "f64_erfc" random input { [65536]f64 }
entry f64_erfc [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.erfc (6 * x + (-3))) xs

-- ==
-- entry: f64_gamma
-- "f64_gamma" random input { [65536]f64 }
entry f64_gamma [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.gamma (9.5 * x + 0.5)) xs

-- ==
-- entry: f64_lgamma
-- "f64_lgamma" random input { [65536]f64 }
entry f64_lgamma [n] (xs: [n]f64) : [n]f64 = map (\x -> f64.lgamma (9.5 * x + 0.5)) xs

-- ==
-- entry: f64_pow
-- "f64_pow" random input { [65536]f64 [65536]f64 }
entry f64_pow [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  let near (x: f64) = 9.9 * x + 0.1
  in map2 (\x y -> (**) (near x) (near y)) xs ys

-- ==
-- entry: f64_atan2
-- "f64_atan2" random input { [65536]f64 [65536]f64 }
entry f64_atan2 [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  let near (x: f64) = 10 * x + (-5)
  in map2 (\x y -> f64.atan2 (near x) (near y)) xs ys

-- ==
-- entry: f64_hypot
-- "f64_hypot" random input { [65536]f64 [65536]f64 }
entry f64_hypot [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  let near (x: f64) = 10 * x + (-5)
  in map2 (\x y -> f64.hypot (near x) (near y)) xs ys
