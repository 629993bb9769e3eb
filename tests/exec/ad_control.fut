-- Branches, loops, recursion, functions, records and sums.

-- ==
-- entry: branches
-- input { true [2.0, 3.0] } output { [3.0, 2.0] [3.0, 2.0] }
-- input { false [2.0, 3.0] } output { [0.0, 6.0] [0.0, 6.0] }
entry branches (c: bool) (xs: [2]f64) =
  let f (xs: [2]f64) = if c then xs[0] * xs[1] else xs[1] ** 2
  in (vjp f xs 1, jmp f xs [[1, 0], [0, 1]])

-- ==
-- entry: powers
-- input { 3 2.0 } output { 12.0 12.0 12.0 12.0 }
-- input { 0 2.0 } output { 0.0 0.0 0.0 0.0 }
entry powers (n: i32) (x: f64) =
  let up x = loop y = 1 for _i < n do y * x
  let down x = (loop (y, i) = (1, n) while i > 0 do (y * x, i - 1)).0
  let bounded x = (#[bound(100)] loop (y, i) = (1, n) while i > 0 do (y * x, i - 1)).0
  let mined x = #[stripmine(2)] loop y = 1 for _i < n do y * x
  in (vjp up x 1, jvp down x 1, vjp bounded x 1, vjp mined x 1)

-- ==
-- entry: items
-- input { [1.0, 2.0, 3.0] } output { [6.0, 3.0, 2.0] }
entry items [n] (xs: [n]f64) = vjp (\xs -> loop y = 1 for x in xs do y * x) xs 1

-- An array that grows from step to step.
-- ==
-- entry: grows
-- input { 2.0 3i64 } output { 44.0 }
entry grows (x: f64) (n: i64) =
  vjp (\x -> f64.sum (loop xs = [x] for _i < n do xs ++ [last xs * x])) x 1 - 5

def factorial (n: i32) (x: f64) : f64 = if n == 0 then 1 else x * factorial (n - 1) (x + 1)

-- ==
-- entry: recursion
-- input { 1.0 } output { 11.0 11.0 }
entry recursion (x: f64) = (vjp (factorial 3) x 1, jvp (factorial 3) x 1)

type shape = #circle f64 | #box {w: f64, h: f64}

def area (s: shape) =
  match s
  case #circle r -> 3 * r * r
  case #box b -> b.w * b.h

-- ==
-- entry: sums
-- input { 2.0 } output { 12.0 [5.0, 2.0] [12.0, 24.0] }
entry sums (x: f64) =
  let circle = match vjp area (#circle x) 1 case #circle r -> r case #box _ -> -1
  let box = match vjp area (#box {w = x, h = 5}) 1 case #circle _ -> [-1, -1] case #box b -> [b.w, b.h]
  let many = vjp (\shapes -> f64.sum (map2 (*) [1, 2] (map area shapes))) [#circle x, #circle x] 1
  in (circle, box, map (\s -> match s case #circle r -> r case #box _ -> -1) many)

-- ==
-- entry: of_another_constructor
-- input { 2.0 } error: the tangent is `#box` where the value is `#circle`.*H7016
entry of_another_constructor (x: f64) = jvp area (#circle x) (#box {w = 1, h = 1})

-- ==
-- entry: of_other_constructors
-- input { 2.0 } error: the tangent is `#circle` where the value is `#box`.*element 1
entry of_other_constructors (x: f64) =
  jvp (\xs -> f64.sum (map area xs)) [#circle x, #box {w = 1, h = 1}] [#circle 1, #circle 1]

-- ==
-- entry: records
-- input { 2.0 3.0 } output { 3.0 2.0 9.0 }
entry records (a: f64) (b: f64) =
  let f (r: {a: f64, b: f64}) = {product = r.a * r.b, square = r.a * r.a}
  let r' = vjp f {a, b} {product = 1, square = 0}
  in (r'.a, r'.b, (jvp f {a, b} {a = 1, b = 1}).product + (jvp f {a, b} {a = 1, b = 0}).square)

-- ==
-- entry: partially_applied
-- input { 3.0 2.0 } output { 0.5 0.5 }
entry partially_applied (x: f64) (y: f64) = (vjp (/ y) x 1, jvp (/ y) x 1)

-- A failure is that of the function.
-- ==
-- entry: fails
-- input { [1, 2] 2i64 } error: index `\[2]` is out of range
-- input { [1, 0] 0i64 } error: division by zero
-- input { [1, 2] 1i64 } output { [0, 1] }
entry fails (xs: [2]i32) (i: i64) =
  vjp (\(xs: [2]i32) -> xs[i] + (6 / xs[1]) * 0) xs 1

-- ==
-- entry: exceeds
-- input { 2.0 } error: the loop still runs after 3 steps, its bound.*H7017
entry exceeds (x: f64) =
  vjp (\x -> (#[bound(3)] loop (y, i) = (x, 0) while i < 4 do (y * x, i + 1)).0) x 1

-- Without reverse mode the bound means nothing.
-- ==
-- entry: unbounded
-- input { 2.0 } output { 32.0 80.0 }
entry unbounded (x: f64) =
  let f x = (#[bound(3)] loop (y, i) = (x, 0) while i < 4 do (y * x, i + 1)).0
  in (f x, jvp f x 1)
