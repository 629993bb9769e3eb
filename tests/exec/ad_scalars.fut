-- Both modes on arithmetic: one direction, one weight.

def pair 'a (x: a, y: a) = [x, y]

-- ==
-- entry: polynomial
-- input { 3.0 } output { 18.0 18.0 18.0 }
-- input { 0.0 } output { 0.0 3.0 3.0 }
entry polynomial (x: f64) =
  let f x = x * x * x - 2 * x * x + 3 * x
  let (y, y') = jvp2 f x 1
  in (y, y', vjp f x 1)

-- ==
-- entry: quotient
-- input { 3.0 4.0 } output { 0.75 0.25 -0.1875 [0.25, -0.1875] }
entry quotient (x: f64) (y: f64) =
  let f (x: f64, y: f64) = x / y
  in (f (x, y), jvp f (x, y) (1, 0), jvp f (x, y) (0, 1), pair (vjp f (x, y) 1))

-- Whole numbers have derivatives, too, and wrap.
-- ==
-- entry: whole
-- input { 5 } output { 75 75 127i8 }
entry whole (x: i32) =
  (jvp (\x -> x * x * x) x 1, vjp (\x -> x ** 3) x 1, vjp (\(x: i8) -> x * 127) 3 1)

-- ==
-- entry: steps
-- input { 2.5 } output { 0.0 0.0 false 0i32 0u64 }
entry steps (x: f64) =
  ( jvp (\x -> f64.floor x + f64.sgn x + f64.round x) x 1
  , vjp (\x -> if x > 2 then 1 else 0) x 1
  , jvp (\x -> x > 2) x 1
  , vjp (\x -> i32.f64 (f64.ceil (f64.i32 x))) 2 1
  , vjp u64.clz 5 1
  )

-- ==
-- entry: extremes
-- input { 1.0 1.0 } output { [1.0, 0.0] [1.0, 0.0] [1.0, 0.0] }
-- input { 1.0 2.0 } output { [1.0, 0.0] [0.0, 1.0] [1.0, 0.0] }
-- input { -3.0 f64.nan } output { [1.0, 0.0] [1.0, 0.0] [-1.0, 0.0] }
entry extremes (x: f64) (y: f64) =
  ( pair (vjp (\(x, y) -> f64.min x y) (x, y) 1)
  , pair (vjp (\(x, y) -> f64.max x y) (x, y) 1)
  , pair (vjp (\(x, _) -> f64.abs x) (x, y) 1)
  )

-- What is not differentiable at an edge does not spoil what does not depend on it.
-- ==
-- entry: edges
-- input { 0.0 } output { 3.0 3.0 0.0 [0.0, 0.0] }
entry edges (x: f64) =
  let f (x: f64, y: f64) = (f64.sqrt x + f64.log x + 1 / x) * 0 + 3 * y
  in ( jvp (\y -> f64.sqrt x + 3 * y) 1 1
     , vjp (\y -> 3 * y + f64.sqrt x) 1 1
     , jvp f64.sqrt x 0
     , pair (vjp (\(x, y) -> f64.sqrt x * y) (x, 0) 1)
     )

-- ==
-- entry: powers
-- input { 2.0 3.0 } output { [12.0, 5.545177444479562] }
-- input { 0.0 0.0 } output { [0.0, 0.0] }
-- input { 0.0 1.0 } output { [1.0, 0.0] }
-- input { -2.0 2.0 } output { [-4.0, 0.0] }
entry powers (x: f64) (y: f64) = pair (vjp (\(x, y) -> x ** y) (x, y) 1)

-- ==
-- entry: conversions
-- input { 2.5 } output { 1f32 2.0 3i32 1065353216u32 }
entry conversions (x: f64) =
  ( jvp f32.f64 x 1
  , vjp f32.f64 x 2
  , jvp (\x -> i32.f64 (3 * x)) x 1
  , jvp f32.to_bits (f32.f64 x) 1
  )

-- ==
-- entry: bits
-- input { 12 3 } output { [0, 0] [8, 0] 0 }
-- input { 12 -1 } output { [1, 0] [-2147483648, 0] 0 }
entry bits (x: i32) (y: i32) =
  ( pair (vjp (\(x, y) -> x & y) (x, y) 1)
  , pair (vjp (\(x, y) -> x << (y & 31)) (x, y) 1)
  , vjp (\x -> x / 4) x 1
  )
