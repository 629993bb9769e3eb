-- Operators in operators: perturbations of one are constants for the other.

def d (f: f64 -> f64) (x: f64) = jvp f x 1
def g (f: f64 -> f64) (x: f64) = vjp f x 1

-- ==
-- entry: second
-- input { 2.0 } output { [48.0, 48.0, 48.0, 48.0] }
entry second (x: f64) =
  let f x = x * x * x * x
  in [d (d f) x, d (g f) x, g (d f) x, g (g f) x]

-- ==
-- entry: third
-- input { 2.0 } output { [96.0, 96.0, 96.0] }
entry third (x: f64) =
  let f x = x ** 2 * (x * x) * 2
  in [d (d (d f)) x, g (d (g f)) x, g (g (g f)) x]

-- The inner operator's argument varies with the outer one, and the function captures it.
-- ==
-- entry: confusion
-- input { 1.0 2.0 } output { [1.0, 1.0, 1.0, 1.0] }
entry confusion (x: f64) (y: f64) =
  [ d (\x -> x * d (\y -> x + y) y) x
  , d (\x -> x * g (\y -> x + y) y) x
  , g (\x -> x * d (\y -> x + y) y) x
  , g (\x -> x * g (\y -> x + y) y) x
  ]

-- ==
-- entry: hessian
-- input { [1.0, 2.0, 3.0] }
-- output { [[0.0, 3.0, 2.0], [3.0, 0.0, 1.0], [2.0, 1.0, 0.0]] [[0.0, 3.0, 2.0], [3.0, 0.0, 1.0], [2.0, 1.0, 0.0]] }
entry hessian [n] (xs: [n]f64) =
  let unit i = tabulate n (\j -> f64.bool (i == j))
  in ( tabulate n (\i -> jvp (\xs -> vjp f64.product xs 1) xs (unit i))
     , jmp (\xs -> vjp f64.product xs 1) xs (tabulate n unit)
     )

-- A tangent of 0 that varies keeps its own derivative, also where the partial is guarded.
-- ==
-- entry: of_direction
-- input { 4.0 0.0 } output { 0.25 0.25 0.25 }
entry of_direction (x: f64) (t: f64) =
  ( d (\t -> jvp f64.sqrt x t) t
  , g (\t -> jvp f64.sqrt x t) t
  , g (\t -> vjp f64.sqrt x t) t
  )

-- ==
-- entry: in_loop
-- input { 3.0 } output { 432.0 }
entry in_loop (x: f64) =
  g (\x -> loop y = 0 for _i < 2 do y + d (\x -> x * x * x) x * 4 * x) x / 3 * 2

-- ==
-- entry: elementary
-- input { 0.5 } output { [true, true, true] }
entry elementary (x: f64) =
  let near a b = f64.abs (a - b) < 1e-12
  in [ near (d (d f64.sin) x) (-f64.sin x)
     , near (g (d f64.exp) x) (f64.exp x)
     , near (g (g f64.log) x) (-1 / (x * x))
     ]
