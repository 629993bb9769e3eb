-- The functions of module f16, three arguments each; the accuracy is measured in tests/math.
-- tolerance: 2e-3
-- ==
-- entry: powers
-- input {
--   [-0.5f16, 0.25f16, 2.5f16]
--   [0.25f16, 1.5f16, 3.0f16]
--   [0.25f16, 1.5f16, 3.0f16]
--   [0.25f16, 1.5f16, 3.0f16]
--   [-0.5f16, 0.125f16, 3.0f16]
--   [-0.5f16, 0.25f16, 2.5f16]
--   [0.25f16, 1.5f16, 3.0f16]
--   [0.25f16, 1.5f16, 3.0f16]
--   [-0.5f16, 0.25f16, 2.5f16]
-- } output {
--   [0.6064f16, 1.284f16, 12.18f16]
--   [-1.387f16, 0.4055f16, 1.099f16]
--   [-2.0f16, 0.585f16, 1.585f16]
--   [-0.602f16, 0.1761f16, 0.477f16]
--   [-0.6934f16, 0.1178f16, 1.387f16]
--   [-0.7935f16, 0.63f16, 1.357f16]
--   [2.0f16, 0.8164f16, 0.577f16]
--   [0.5f16, 1.225f16, 1.732f16]
--   [-2.0f16, 4.0f16, 0.4f16]
-- }
entry powers (x0: [3]f16)
             (x1: [3]f16)
             (x2: [3]f16)
             (x3: [3]f16)
             (x4: [3]f16)
             (x5: [3]f16)
             (x6: [3]f16)
             (x7: [3]f16)
             (x8: [3]f16) : ([3]f16, [3]f16, [3]f16, [3]f16, [3]f16, [3]f16, [3]f16, [3]f16, [3]f16) =
  ( map f16.exp x0
  , map f16.log x1
  , map f16.log2 x2
  , map f16.log10 x3
  , map f16.log1p x4
  , map f16.cbrt x5
  , map f16.rsqrt x6
  , map f16.sqrt x7
  , map f16.recip x8
  )

-- ==
-- entry: angles
-- input {
--   [-0.5f16, 0.25f16, 2.5f16]
--   [-0.5f16, 0.25f16, 2.5f16]
--   [-0.5f16, 0.25f16, 2.5f16]
--   [-1.0f16, -0.25f16, 0.75f16]
--   [-1.0f16, -0.25f16, 0.75f16]
--   [-0.5f16, 0.25f16, 2.5f16]
-- } output {
--   [-0.4795f16, 0.2474f16, 0.5986f16]
--   [0.8774f16, 0.9688f16, -0.8013f16]
--   [-0.5464f16, 0.2554f16, -0.747f16]
--   [-1.57f16, -0.2527f16, 0.848f16]
--   [3.14f16, 1.823f16, 0.7227f16]
--   [-0.4636f16, 0.245f16, 1.19f16]
-- }
entry angles (x0: [3]f16) (x1: [3]f16) (x2: [3]f16) (x3: [3]f16) (x4: [3]f16) (x5: [3]f16) : ([3]f16, [3]f16, [3]f16, [3]f16, [3]f16, [3]f16) =
  ( map f16.sin x0
  , map f16.cos x1
  , map f16.tan x2
  , map f16.asin x3
  , map f16.acos x4
  , map f16.atan x5
  )

-- ==
-- entry: half_turns
-- input {
--   [-0.5f16, 0.25f16, 2.5f16]
--   [-0.5f16, 0.25f16, 2.5f16]
--   [-0.25f16, 0.125f16, 1.75f16]
--   [-1.0f16, -0.25f16, 0.75f16]
--   [-1.0f16, -0.25f16, 0.75f16]
--   [-0.5f16, 0.25f16, 2.5f16]
-- } output {
--   [-1.0f16, 0.707f16, 1.0f16]
--   [0.0f16, 0.707f16, 0.0f16]
--   [-1.0f16, 0.4143f16, -1.0f16]
--   [-0.5f16, -0.08044f16, 0.27f16]
--   [1.0f16, 0.5806f16, 0.2301f16]
--   [-0.1476f16, 0.078f16, 0.379f16]
-- }
entry half_turns (x0: [3]f16) (x1: [3]f16) (x2: [3]f16) (x3: [3]f16) (x4: [3]f16) (x5: [3]f16) : ([3]f16, [3]f16, [3]f16, [3]f16, [3]f16, [3]f16) =
  ( map f16.sinpi x0
  , map f16.cospi x1
  , map f16.tanpi x2
  , map f16.asinpi x3
  , map f16.acospi x4
  , map f16.atanpi x5
  )

-- ==
-- entry: hyperbolic
-- input {
--   [-0.5f16, 0.25f16, 2.5f16]
--   [-0.5f16, 0.25f16, 2.5f16]
--   [-0.5f16, 0.25f16, 2.5f16]
--   [-0.5f16, 0.25f16, 2.5f16]
--   [1.0f16, 1.5f16, 3.0f16]
--   [-0.75f16, 0.25f16, 0.5f16]
-- } output {
--   [-0.521f16, 0.2527f16, 6.05f16]
--   [1.128f16, 1.031f16, 6.133f16]
--   [-0.4622f16, 0.2449f16, 0.987f16]
--   [-0.4812f16, 0.2474f16, 1.647f16]
--   [0.0f16, 0.9624f16, 1.763f16]
--   [-0.973f16, 0.2554f16, 0.5493f16]
-- }
entry hyperbolic (x0: [3]f16) (x1: [3]f16) (x2: [3]f16) (x3: [3]f16) (x4: [3]f16) (x5: [3]f16) : ([3]f16, [3]f16, [3]f16, [3]f16, [3]f16, [3]f16) =
  ( map f16.sinh x0
  , map f16.cosh x1
  , map f16.tanh x2
  , map f16.asinh x3
  , map f16.acosh x4
  , map f16.atanh x5
  )

-- ==
-- entry: special
-- input {
--   [-0.5f16, 1.5f16, 5.0f16]
--   [0.25f16, 1.5f16, 5.0f16]
--   [-0.5f16, 0.25f16, 2.5f16]
--   [-0.5f16, 0.25f16, 2.5f16]
-- } output {
--   [-3.545f16, 0.886f16, 24.0f16]
--   [1.288f16, -0.1208f16, 3.178f16]
--   [-0.5205f16, 0.2764f16, 0.9995f16]
--   [1.5205f16, 0.7236f16, 0.000407f16]
-- }
entry special (x0: [3]f16) (x1: [3]f16) (x2: [3]f16) (x3: [3]f16) : ([3]f16, [3]f16, [3]f16, [3]f16) =
  (map f16.gamma x0, map f16.lgamma x1, map f16.erf x2, map f16.erfc x3)

-- Functions of several arguments.
-- ==
-- entry: several
-- input { 1.5f16 -2.5f16 }
-- output { 2.602f16 0.828f16 2.916f16 0.5f16
--          -2.25f16 -2.25f16 3.375f16 0.5f16 -1.5f16 12.0f16 true }
entry several (x: f16) (y: f16) : (f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, bool) =
  ( f16.atan2 x y
  , f16.atan2pi x y
  , f16.hypot x y
  , f16.lerp x y 0.25
  , f16.mad x y x
  , f16.fma x y x
  , x ** 3
  , x % 1
  , f16.copysign x y
  , f16.ldexp x 3
  , f16.nextafter x y < x
  )

-- Rounding to integers, half to even; limits; bits.
-- ==
-- entry: rounding
-- input { [-2.5f16, -0.5f16, 0.5f16, 1.5f16, 2.75f16] }
-- output { [-2.0f16, -0.0f16, 1.0f16, 2.0f16, 3.0f16] [-3.0f16, -1.0f16, 0.0f16, 1.0f16, 2.0f16]
--          [-2.0f16, -0.0f16, 0.0f16, 1.0f16, 2.0f16] [-2.0f16, -0.0f16, 0.0f16, 2.0f16, 3.0f16] }
entry rounding [n] (xs: [n]f16) : ([n]f16, [n]f16, [n]f16, [n]f16) =
  (map f16.ceil xs, map f16.floor xs, map f16.trunc xs, map f16.round xs)

-- ==
-- entry: constants
-- input { 1.0f16 }
-- output { f16.inf f16.nan f16.inf -f16.inf 3.14f16 2.719f16 1.1920929e-7f16 16i32
--          true false 15360u16 1.0f16 0i32 -1.0f16 }
entry constants (x: f16) : (f16, f16, f16, f16, f16, f16, f16, i32, bool, bool, u16, f16, i32, f16) =
  ( f16.inf
  , f16.nan
  , f16.highest
  , f16.lowest
  , f16.pi
  , f16.e
  , f16.epsilon
  , f16.num_bits
  , f16.isnan (f16.nan * x)
  , f16.isinf x
  , f16.to_bits x
  , f16.from_bits (f16.to_bits x)
  , f16.get_bit 0 x
  , f16.set_bit 15 x 1
  )

-- ==
-- entry: numbers
-- input { [1.5f16, -2.5f16, 4.0f16] }
-- output { 3.0f16 -15.0f16 4.0f16 -2.5f16 [-1.5f16, 2.5f16, -4.0f16] [1.5f16, 2.5f16, 4.0f16]
--          [1.0f16, -1.0f16, 1.0f16] [1i64, -2i64, 4i64] [1.5f64, -2.5f64, 4.0f64] 0.75f16 }
-- input { empty([0]f16) }
-- output { 0.0f16 1.0f16 -f16.inf f16.inf empty([0]f16) empty([0]f16)
--          empty([0]f16) empty([0]i64) empty([0]f64) 0.75f16 }
entry numbers [n] (xs: [n]f16) : (f16, f16, f16, f16, [n]f16, [n]f16, [n]f16, [n]i64, [n]f64, f16) =
  ( f16.sum xs
  , f16.product xs
  , f16.maximum xs
  , f16.minimum xs
  , map f16.neg xs
  , map f16.abs xs
  , map f16.sgn xs
  , map f16.to_i64 xs
  , map f16.to_f64 xs
  , f16.from_fraction 3 4
  )

-- ==
-- entry: conversions
-- input { 5i64 }
-- output { [5.0f16, 5.0f16, 5.0f16, 5.0f16, 5.0f16, 5.0f16, 5.0f16, 5.0f16, 5.0f16, 5.0f16,
--          5.0f16, 1.0f16] }
entry conversions (x: i64) : [12]f16 =
  [ f16.i8 (i8.i64 x)
  , f16.i16 (i16.i64 x)
  , f16.i32 (i32.i64 x)
  , f16.i64 x
  , f16.u8 (u8.i64 x)
  , f16.u16 (u16.i64 x)
  , f16.u32 (u32.i64 x)
  , f16.u64 (u64.i64 x)
  , f16.f16 (f16.i64 x)
  , f16.f32 (f32.i64 x)
  , f16.f64 (f64.i64 x)
  , f16.bool true
  ]

-- ==
-- entry: operators
-- input { 7.0f16 2.0f16 }
-- output { [9.0f16, 5.0f16, 14.0f16, 3.5f16, 1.0f16, 49.0f16, 2.0f16, 7.0f16]
--          [false, true, false, true, false, true] }
entry operators (x: f16) (y: f16) : ([8]f16, [6]bool) =
  ( [x f16.+ y, x f16.- y, x f16.* y, x f16./ y, x f16.% y, x f16.** y, f16.min x y, f16.max x y]
  , [x f16.== y, x f16.!= y, x f16.< y, x f16.> y, x f16.<= y, x f16.>= y]
  )
