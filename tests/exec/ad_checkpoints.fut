-- How states of loops are kept changes no bit of a derivative: recorded, in segments, few at a time.

def step [n] (k: f32) (i: i64) (xs: [n]f32) : [n]f32 =
  map (\j -> xs[j] + k * xs[(j + i) % n] * xs[(j + 1) % n]) (iota n)

def recorded [n] (steps: i64) (k: f32, xs: [n]f32) : [n]f32 =
  loop ys = xs for i < steps do step k i ys

def segments [n] (steps: i64) (k: f32, xs: [n]f32) : [n]f32 =
  #[stripmine(2)] loop ys = xs for i < steps do step k i ys

def deep [n] (steps: i64) (k: f32, xs: [n]f32) : [n]f32 =
  #[stripmine(3)] loop ys = xs for i < steps do step k i ys

def two [n] (steps: i64) (k: f32, xs: [n]f32) : [n]f32 =
  #[checkpoint(2)] loop ys = xs for i < steps do step k i ys

def five [n] (steps: i64) (k: f32, xs: [n]f32) : [n]f32 =
  #[checkpoint(5)] loop ys = xs for i < steps do step k i ys

def same [n] (f: (f32, [n]f32) -> [n]f32) (g: (f32, [n]f32) -> [n]f32) (xs: [n]f32) : bool =
  let (k, x) = vjp f (0.01, xs) xs
  let (l, y) = vjp g (0.01, xs) xs
  in k == l && and (map2 (==) x y)

-- ==
-- entry: kept
-- input { 0i64 [0.5f32, 1.5, -0.25] } output { true }
-- input { 1i64 [0.5f32, 1.5, -0.25] } output { true }
-- input { 2i64 [0.5f32, 1.5, -0.25] } output { true }
-- input { 3i64 [0.5f32, 1.5, -0.25] } output { true }
-- input { 7i64 [0.5f32, 1.5, -0.25] } output { true }
-- input { 30i64 [0.5f32, 1.5, -0.25] } output { true }
-- input { -3i64 [0.5f32, 1.5, -0.25] } output { true }
entry kept [n] (steps: i64) (xs: [n]f32) : bool =
  same (recorded steps) (segments steps) xs
  && same (recorded steps) (deep steps) xs
  && same (recorded steps) (two steps) xs
  && same (recorded steps) (five steps) xs

-- Until something holds; in the cells of a map; changed in place; a derivative of a derivative.
-- ==
-- entry: others
-- input { [0.5f64, 1.5, -0.25, 2.0] } output { true true true true }
entry others [n] (xs: [n]f64) =
  let plain (x: f64) = loop y = x while y < 9 do y + y * y / 8 + 0.5
  let kept (x: f64) = #[checkpoint(2)] loop y = x while y < 9 do y + y * y / 8 + 0.5
  let bounded (x: f64) = #[bound(40)] #[checkpoint(3)] loop y = x while y < 9 do y + y * y / 8 + 0.5
  let in_place (xs: [n]f64) = loop ys = copy xs for i < n do ys with [i] = ys[i] * ys[(i + 1) % n]
  let in_parts (xs: [n]f64) = #[stripmine(2)] loop ys = copy xs for i < n do ys with [i] = ys[i] * ys[(i + 1) % n]
  let power (x: f64) = loop y = x for _i < 5 do y * x
  let parts (x: f64) = #[checkpoint(2)] loop y = x for _i < 5 do y * x
  let all f g = and (map (\x -> vjp f x 1 == vjp g x 1) xs)
  in ( all plain kept && all plain bounded
     , and (map2 (==) (vjp in_place xs xs) (vjp in_parts xs xs))
     , all power parts
     , and (map (\x -> jvp (\y -> vjp power y 1) x 1 == jvp (\y -> vjp parts y 1) x 1) xs)
     )

-- More places than are numbers.
-- ==
-- entry: many_places
-- input { [0.5, 0.9] 100i64 } output { true }
-- input { [0.5, 0.9] 3i64 } output { true }
entry many_places [n] (xs: [n]f64) (steps: i64) : bool =
  let step y = y + 0.01 * y * (1 - y)
  let all (xs: [n]f64) = loop ys = xs for _i < steps do map step ys
  let kept (xs: [n]f64) = #[checkpoint(40)] loop ys = xs for _i < steps do map step ys
  in and (map2 (==) (vjp all xs xs) (vjp kept xs xs))
