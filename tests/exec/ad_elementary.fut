-- The partials of every elementary function against differences of fourth order, and those of f32
-- and f16 against f64.

def difference (f: f64 -> f64) (x: f64) : f64 =
  let h = 1 / 1024
  in (f (x - 2 * h) - 8 * f (x - h) + 8 * f (x + h) - f (x + 2 * h)) / (12 * h)

def near (e: f64) (x: f64) (y: f64) = f64.abs (x - y) <= e * f64.max 1 (f64.abs y)

-- Where the function is smooth, 30 points between two.
def points (low: f64) (high: f64) = map (\i -> low + (high - low) * f64.i64 i / 29) (iota 30)

-- Forward and reverse mode, in f64 and in f32.
def right (low: f64) (high: f64) (f: f64 -> f64) (f32s: f32 -> f32) : bool =
  all (\x ->
         near 1e-8 (jvp f x 1) (difference f x)
         && near 1e-14 (vjp f x 1) (jvp f x 1)
         && near 3e-5 (f64.f32 (jvp f32s (f32.f64 x) 1)) (jvp f (f64.f32 (f32.f64 x)) 1))
      (points low high)

-- ==
-- entry: exponential
-- input { } output { [true, true, true, true, true, true, true] }
entry exponential =
  [ right (-3) 3 f64.exp f32.exp
  , right 0.4 9 f64.log f32.log
  , right 0.4 9 f64.log2 f32.log2
  , right 0.4 9 f64.log10 f32.log10
  , right (-0.9) 3 f64.log1p f32.log1p
  , right 0.4 9 f64.cbrt f32.cbrt
  , right 0.4 9 f64.rsqrt f32.rsqrt
  ]

-- ==
-- entry: circular
-- input { } output { [true, true, true, true, true, true] [true, true, true, true, true, true] }
entry circular =
  ( [ right (-4) 4 f64.sin f32.sin
    , right (-4) 4 f64.cos f32.cos
    , right (-1.2) 1.2 f64.tan f32.tan
    , right (-0.9) 0.9 f64.asin f32.asin
    , right (-0.9) 0.9 f64.acos f32.acos
    , right (-4) 4 f64.atan f32.atan
    ]
  , [ right (-2) 2 f64.sinpi f32.sinpi
    , right (-2) 2 f64.cospi f32.cospi
    , right (-0.3) 0.3 f64.tanpi f32.tanpi
    , right (-0.9) 0.9 f64.asinpi f32.asinpi
    , right (-0.9) 0.9 f64.acospi f32.acospi
    , right (-4) 4 f64.atanpi f32.atanpi
    ]
  )

-- ==
-- entry: hyperbolic
-- input { } output { [true, true, true, true, true, true] }
entry hyperbolic =
  [ right (-3) 3 f64.sinh f32.sinh
  , right (-3) 3 f64.cosh f32.cosh
  , right (-3) 3 f64.tanh f32.tanh
  , right (-4) 4 f64.asinh f32.asinh
  , right 1.2 9 f64.acosh f32.acosh
  , right (-0.9) 0.9 f64.atanh f32.atanh
  ]

-- ==
-- entry: special
-- input { } output { [true, true, true, true, true, true] }
entry special =
  [ right 0.5 5 f64.gamma f32.gamma
  , right (-1.8) (-1.2) f64.gamma f32.gamma
  , right 0.5 20 f64.lgamma f32.lgamma
  , right (-2.8) (-2.2) f64.lgamma f32.lgamma
  , right (-3) 3 f64.erf f32.erf
  , right (-3) 3 f64.erfc f32.erfc
  ]

-- Each argument of those with two or three.
-- ==
-- entry: several
-- input { }
-- output { [true, true, true, true, true, true, true, true] [true, true, true, true, true, true, true] }
entry several =
  ( [ right (-3) 3 (\y -> f64.atan2 y 0.7) (\y -> f32.atan2 y 0.7)
    , right 0.2 3 (\x -> f64.atan2 0.7 x) (\x -> f32.atan2 0.7 x)
    , right (-3) 3 (\y -> f64.atan2pi y 0.7) (\y -> f32.atan2pi y 0.7)
    , right 0.2 3 (\x -> f64.atan2pi 0.7 x) (\x -> f32.atan2pi 0.7 x)
    , right (-3) 3 (\x -> f64.hypot x 0.7) (\x -> f32.hypot x 0.7)
    , right (-3) 3 (\y -> f64.hypot 0.7 y) (\y -> f32.hypot 0.7 y)
    , right 0.2 3 (\x -> x ** 2.5) (\x -> x ** 2.5)
    , right (-2) 2 (\y -> 1.7 ** y) (\y -> 1.7 ** y)
    ]
  , [ right (-3) 3 (\x -> f64.fma x 0.7 0.2) (\x -> f32.fma x 0.7 0.2)
    , right (-3) 3 (\x -> f64.fma 0.7 x 0.2) (\x -> f32.fma 0.7 x 0.2)
    , right (-3) 3 (\x -> f64.fma 0.7 0.2 x) (\x -> f32.fma 0.7 0.2 x)
    , right (-3) 3 (\x -> f64.ldexp x 3) (\x -> f32.ldexp x 3)
    , right 0.2 3 (\x -> f64.copysign x (-0.5)) (\x -> f32.copysign x (-0.5))
    , right (-3) (-0.2) (\x -> f64.copysign x (-0.5)) (\x -> f32.copysign x (-0.5))
    , right 0.71 1.3 (\x -> x % 0.7) (\x -> x % 0.7)
    ]
  )

-- ==
-- entry: exact
-- input { } output { 1.0 [0.0, 0.0] [0.0, 0.0] -2.0 1f16 [0.0, 1.0] }
entry exact =
  let pair (x: f64, y: f64) = [x, y]
  in ( jvp (\x -> f64.nextafter x 3) 1 1
     , pair (vjp (\(x, y) -> f64.atan2 x y) (0, 0) 1)
     , pair (vjp (\(x, y) -> f64.hypot x y) (0, 0) 1)
     , vjp (\y -> 5 % y) 2.0 1
     , vjp (\x -> f16.copysign x 2) 3 1
     , pair (vjp (\(x, y) -> f64.nextafter x y + y) (1, 2) 1 |> \(x, y) -> (x - 1, y))
     )

-- ==
-- entry: halves
-- input { } output { [true, true, true] }
entry halves =
  let right (f: f16 -> f16) (f64s: f64 -> f64) =
    all (\x -> near 2e-3 (f64.f16 (jvp f (f16.f64 x) 1)) (jvp f64s (f64.f16 (f16.f64 x)) 1))
        (points 0.3 2)
  in [right f16.exp f64.exp, right f16.log f64.log, right (\x -> x ** 1.5) (\x -> x ** 1.5)]
