-- A derivative of one's own takes the place of the function's in reverse mode; these are not its
-- transpose.
-- ==
-- tags { not_smooth }

def f (x: f64) = with_vjp (\x -> x * 2) (\y weight -> weight + y) x

-- ==
-- entry: reverse
-- input { 2.5 } output { 5.0 6.0 2.0 }
entry reverse (x: f64) = (f x, vjp f x 1, jvp f x 1)

-- ==
-- entry: inside
-- input { [1.0, 2.0] } output { [5.0, 7.0] }
entry inside (xs: [2]f64) = vjp (\xs -> f64.sum (map (\x -> 3 * f x) xs)) xs 1

-- The inner operator decides first: forward over reverse differentiates the rule, reverse over
-- reverse applies it again to what the rule reads, reverse over forward sees the function.
-- ==
-- entry: second
-- input { 2.5 } output { 2.0 6.0 0.0 }
entry second (x: f64) =
  (jvp (\x -> vjp f x 1) x 1, vjp (\x -> vjp f x 1) x 1, vjp (\x -> jvp f x 1) x 1)

-- What the function captures counts as constant.
-- ==
-- entry: captured
-- input { 2.0 3.0 } output { [3.0, 0.0] }
entry captured (x: f64) (y: f64) =
  let (a, b) = vjp (\(x, y) -> with_vjp (* y) (\_ weight -> weight * 3) x) (x, y) 1
  in [a, b]

-- ==
-- entry: taped
-- input { [3f32, 1f32, 2f32] [10f32, 20f32, 30f32] } output { [1f32, 2f32, 3f32] [30f32, 10f32, 20f32] }
entry taped [n] (xs: [n]f32) (weights: [n]f32) =
  let sorted (xs: [n]f32) =
    with_vjp_tape (\xs -> let is = f32.sort_order xs in (is, map (\i -> xs[i]) is))
                  (\(is, weights) -> scatter (replicate n 0) is weights)
                  xs
  in vjp2 sorted xs weights
