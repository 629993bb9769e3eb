-- The functions of module f32, three arguments each; the accuracy is measured in tests/math.
-- tolerance: 3e-7
-- ==
-- entry: powers
-- input {
--   [-0.5f32, 0.25f32, 2.5f32]
--   [0.25f32, 1.5f32, 3.0f32]
--   [0.25f32, 1.5f32, 3.0f32]
--   [0.25f32, 1.5f32, 3.0f32]
--   [-0.5f32, 0.125f32, 3.0f32]
--   [-0.5f32, 0.25f32, 2.5f32]
--   [0.25f32, 1.5f32, 3.0f32]
--   [0.25f32, 1.5f32, 3.0f32]
--   [-0.5f32, 0.25f32, 2.5f32]
-- } output {
--   [0.60653067f32, 1.2840254f32, 12.182494f32]
--   [-1.3862944f32, 0.4054651f32, 1.0986123f32]
--   [-2.0f32, 0.5849625f32, 1.5849625f32]
--   [-0.60206f32, 0.17609125f32, 0.47712126f32]
--   [-0.6931472f32, 0.11778303f32, 1.3862944f32]
--   [-0.7937005f32, 0.62996054f32, 1.3572088f32]
--   [2.0f32, 0.8164966f32, 0.57735026f32]
--   [0.5f32, 1.2247449f32, 1.7320508f32]
--   [-2.0f32, 4.0f32, 0.4f32]
-- }
entry powers (x0: [3]f32)
             (x1: [3]f32)
             (x2: [3]f32)
             (x3: [3]f32)
             (x4: [3]f32)
             (x5: [3]f32)
             (x6: [3]f32)
             (x7: [3]f32)
             (x8: [3]f32) : ([3]f32, [3]f32, [3]f32, [3]f32, [3]f32, [3]f32, [3]f32, [3]f32, [3]f32) =
  ( map f32.exp x0
  , map f32.log x1
  , map f32.log2 x2
  , map f32.log10 x3
  , map f32.log1p x4
  , map f32.cbrt x5
  , map f32.rsqrt x6
  , map f32.sqrt x7
  , map f32.recip x8
  )

-- ==
-- entry: angles
-- input {
--   [-0.5f32, 0.25f32, 2.5f32]
--   [-0.5f32, 0.25f32, 2.5f32]
--   [-0.5f32, 0.25f32, 2.5f32]
--   [-1.0f32, -0.25f32, 0.75f32]
--   [-1.0f32, -0.25f32, 0.75f32]
--   [-0.5f32, 0.25f32, 2.5f32]
-- } output {
--   [-0.47942555f32, 0.24740396f32, 0.5984721f32]
--   [0.87758255f32, 0.9689124f32, -0.8011436f32]
--   [-0.5463025f32, 0.25534192f32, -0.7470223f32]
--   [-1.5707964f32, -0.25268024f32, 0.8480621f32]
--   [3.1415927f32, 1.8234766f32, 0.7227343f32]
--   [-0.4636476f32, 0.24497867f32, 1.19029f32]
-- }
entry angles (x0: [3]f32) (x1: [3]f32) (x2: [3]f32) (x3: [3]f32) (x4: [3]f32) (x5: [3]f32) : ([3]f32, [3]f32, [3]f32, [3]f32, [3]f32, [3]f32) =
  ( map f32.sin x0
  , map f32.cos x1
  , map f32.tan x2
  , map f32.asin x3
  , map f32.acos x4
  , map f32.atan x5
  )

-- ==
-- entry: half_turns
-- input {
--   [-0.5f32, 0.25f32, 2.5f32]
--   [-0.5f32, 0.25f32, 2.5f32]
--   [-0.25f32, 0.125f32, 1.75f32]
--   [-1.0f32, -0.25f32, 0.75f32]
--   [-1.0f32, -0.25f32, 0.75f32]
--   [-0.5f32, 0.25f32, 2.5f32]
-- } output {
--   [-1.0f32, 0.70710677f32, 1.0f32]
--   [0.0f32, 0.70710677f32, 0.0f32]
--   [-1.0f32, 0.41421357f32, -1.0f32]
--   [-0.5f32, -0.08043063f32, 0.26994655f32]
--   [1.0f32, 0.5804306f32, 0.23005345f32]
--   [-0.14758362f32, 0.07797913f32, 0.37888107f32]
-- }
entry half_turns (x0: [3]f32) (x1: [3]f32) (x2: [3]f32) (x3: [3]f32) (x4: [3]f32) (x5: [3]f32) : ([3]f32, [3]f32, [3]f32, [3]f32, [3]f32, [3]f32) =
  ( map f32.sinpi x0
  , map f32.cospi x1
  , map f32.tanpi x2
  , map f32.asinpi x3
  , map f32.acospi x4
  , map f32.atanpi x5
  )

-- ==
-- entry: hyperbolic
-- input {
--   [-0.5f32, 0.25f32, 2.5f32]
--   [-0.5f32, 0.25f32, 2.5f32]
--   [-0.5f32, 0.25f32, 2.5f32]
--   [-0.5f32, 0.25f32, 2.5f32]
--   [1.0f32, 1.5f32, 3.0f32]
--   [-0.75f32, 0.25f32, 0.5f32]
-- } output {
--   [-0.5210953f32, 0.25261232f32, 6.0502043f32]
--   [1.127626f32, 1.0314131f32, 6.1322894f32]
--   [-0.46211717f32, 0.24491866f32, 0.9866143f32]
--   [-0.4812118f32, 0.24746646f32, 1.6472311f32]
--   [0.0f32, 0.9624236f32, 1.7627472f32]
--   [-0.97295505f32, 0.25541282f32, 0.54930615f32]
-- }
entry hyperbolic (x0: [3]f32) (x1: [3]f32) (x2: [3]f32) (x3: [3]f32) (x4: [3]f32) (x5: [3]f32) : ([3]f32, [3]f32, [3]f32, [3]f32, [3]f32, [3]f32) =
  ( map f32.sinh x0
  , map f32.cosh x1
  , map f32.tanh x2
  , map f32.asinh x3
  , map f32.acosh x4
  , map f32.atanh x5
  )

-- ==
-- entry: special
-- input {
--   [-0.5f32, 1.5f32, 5.0f32]
--   [0.25f32, 1.5f32, 5.0f32]
--   [-0.5f32, 0.25f32, 2.5f32]
--   [-0.5f32, 0.25f32, 2.5f32]
-- } output {
--   [-3.5449078f32, 0.88622695f32, 24.0f32]
--   [1.2880225f32, -0.12078224f32, 3.1780539f32]
--   [-0.5204999f32, 0.2763264f32, 0.999593f32]
--   [1.5204998f32, 0.7236736f32, 0.00040695202f32]
-- }
entry special (x0: [3]f32) (x1: [3]f32) (x2: [3]f32) (x3: [3]f32) : ([3]f32, [3]f32, [3]f32, [3]f32) =
  (map f32.gamma x0, map f32.lgamma x1, map f32.erf x2, map f32.erfc x3)

-- Functions of several arguments.
-- ==
-- entry: several
-- input { 1.5f32 -2.5f32 }
-- output { 2.6011732f32 0.82797915f32 2.9154758f32 0.5f32
--          -2.25f32 -2.25f32 3.375f32 0.5f32 -1.5f32 12.0f32 true }
entry several (x: f32) (y: f32) : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, bool) =
  ( f32.atan2 x y
  , f32.atan2pi x y
  , f32.hypot x y
  , f32.lerp x y 0.25
  , f32.mad x y x
  , f32.fma x y x
  , x ** 3
  , x % 1
  , f32.copysign x y
  , f32.ldexp x 3
  , f32.nextafter x y < x
  )

-- Rounding to integers, half to even; limits; bits.
-- ==
-- entry: rounding
-- input { [-2.5f32, -0.5f32, 0.5f32, 1.5f32, 2.75f32] }
-- output { [-2.0f32, -0.0f32, 1.0f32, 2.0f32, 3.0f32] [-3.0f32, -1.0f32, 0.0f32, 1.0f32, 2.0f32]
--          [-2.0f32, -0.0f32, 0.0f32, 1.0f32, 2.0f32] [-2.0f32, -0.0f32, 0.0f32, 2.0f32, 3.0f32] }
entry rounding [n] (xs: [n]f32) : ([n]f32, [n]f32, [n]f32, [n]f32) =
  (map f32.ceil xs, map f32.floor xs, map f32.trunc xs, map f32.round xs)

-- ==
-- entry: constants
-- input { 1.0f32 }
-- output { f32.inf f32.nan f32.inf -f32.inf 3.1415927f32 2.7182817f32 1.1920929e-07f32 32i32
--          true false 1065353216u32 1.0f32 0i32 -1.0f32 }
entry constants (x: f32) : (f32, f32, f32, f32, f32, f32, f32, i32, bool, bool, u32, f32, i32, f32) =
  ( f32.inf
  , f32.nan
  , f32.highest
  , f32.lowest
  , f32.pi
  , f32.e
  , f32.epsilon
  , f32.num_bits
  , f32.isnan (f32.nan * x)
  , f32.isinf x
  , f32.to_bits x
  , f32.from_bits (f32.to_bits x)
  , f32.get_bit 0 x
  , f32.set_bit 31 x 1
  )

-- ==
-- entry: numbers
-- input { [1.5f32, -2.5f32, 4.0f32] }
-- output { 3.0f32 -15.0f32 4.0f32 -2.5f32 [-1.5f32, 2.5f32, -4.0f32] [1.5f32, 2.5f32, 4.0f32]
--          [1.0f32, -1.0f32, 1.0f32] [1i64, -2i64, 4i64] [1.5f64, -2.5f64, 4.0f64] 0.75f32 }
-- input { empty([0]f32) }
-- output { 0.0f32 1.0f32 -f32.inf f32.inf empty([0]f32) empty([0]f32)
--          empty([0]f32) empty([0]i64) empty([0]f64) 0.75f32 }
entry numbers [n] (xs: [n]f32) : (f32, f32, f32, f32, [n]f32, [n]f32, [n]f32, [n]i64, [n]f64, f32) =
  ( f32.sum xs
  , f32.product xs
  , f32.maximum xs
  , f32.minimum xs
  , map f32.neg xs
  , map f32.abs xs
  , map f32.sgn xs
  , map f32.to_i64 xs
  , map f32.to_f64 xs
  , f32.from_fraction 3 4
  )

-- ==
-- entry: conversions
-- input { 5i64 }
-- output { [5.0f32, 5.0f32, 5.0f32, 5.0f32, 5.0f32, 5.0f32, 5.0f32, 5.0f32, 5.0f32, 5.0f32,
--          5.0f32, 1.0f32] }
entry conversions (x: i64) : [12]f32 =
  [ f32.i8 (i8.i64 x)
  , f32.i16 (i16.i64 x)
  , f32.i32 (i32.i64 x)
  , f32.i64 x
  , f32.u8 (u8.i64 x)
  , f32.u16 (u16.i64 x)
  , f32.u32 (u32.i64 x)
  , f32.u64 (u64.i64 x)
  , f32.f16 (f16.i64 x)
  , f32.f32 (f32.i64 x)
  , f32.f64 (f64.i64 x)
  , f32.bool true
  ]

-- ==
-- entry: operators
-- input { 7.0f32 2.0f32 }
-- output { [9.0f32, 5.0f32, 14.0f32, 3.5f32, 1.0f32, 49.0f32, 2.0f32, 7.0f32]
--          [false, true, false, true, false, true] }
entry operators (x: f32) (y: f32) : ([8]f32, [6]bool) =
  ( [x f32.+ y, x f32.- y, x f32.* y, x f32./ y, x f32.% y, x f32.** y, f32.min x y, f32.max x y]
  , [x f32.== y, x f32.!= y, x f32.< y, x f32.> y, x f32.<= y, x f32.>= y]
  )
