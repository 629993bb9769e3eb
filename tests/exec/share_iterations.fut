-- What maps in loops compute of their positions alone in every step, once in front of the loop.
-- tolerance: exact

-- Rates at the nodes of a tree: a power of the node's number in each step.
-- ==
-- entry: rates
-- input { 4i64 3i64 } output { [100.0f64, 100.0f64, 100.0f64, 100.0f64, 100.0f64, 100.0f64, 100.0f64] }
-- input { 0i64 1i64 } output { [100.0f64, 100.0f64, 100.0f64] }
entry rates (steps: i64) (m: i64) : []f64 =
  let w = 2 * m + 1
  in loop v = replicate w 100f64
     for _t < steps do
       map (\k ->
              let up = 1 ** f64.i64 (k - m)
              in up * (0.25 * v[i64.min (k + 1) (w - 1)] + 0.5 * v[k] + 0.25 * v[i64.max (k - 1) 0]))
           (iota w)

-- Tables of both positions of a grid, and a sum that has no array.
-- ==
-- entry: grid
-- input { 2i64 2i64 3i64 } output { [[0.0f64, 1.0f64, 2.0f64], [3.0f64, 4.0f64, 5.0f64]] 30.0f64 }
-- input { 0i64 1i64 1i64 } output { [[0.0f64]] 0.0f64 }
entry grid (steps: i64) (n: i64) (m: i64) =
  let ones = tabulate_2d n m (\i j -> f64.i64 (i * 0 + j * 0 + 1))
  let start = tabulate_2d n m (\i j -> f64.i64 (i * m + j))
  in loop (xss, s) = (start, 0)
     for _t < steps do
       let xss = map2 (map2 (\w x -> x * f64.cos (f64.log w) * f64.exp (f64.log w))) ones xss
       in (xss, s + f64.sum (flatten xss))
