-- The derivative of steps that read neighbours around the ends is a loop of stencils.
-- ==
-- input { [1f64, 2f64, 4f64] 2i64 }
-- output { [2.3200000000000003f64, 2.4f64, 2.2800000000000002f64] }
def main [n] (xs: [n]f64) (steps: i64) : [n]f64 =
  let f (u: [n]f64) =
    loop u for _i < steps do
      tabulate n (\i -> 0.4 * u[i] + 0.2 * u[(i + 1) % n] + 0.4 * u[(i - 1 + n) % n])
  in vjp f xs xs
