-- Cells whose steps read elements anywhere: the return sweep is one map over all steps of all cells.
-- tolerance: exact

def made (n: i64) : [n]f64 = tabulate n (\i -> f64.i64 (i * 5 % 7 - 3))
def weighed [n] (xs: [n]f64) : f64 = f64.sum (map2 (\i x -> x * f64.i64 (i % 11 + 1)) (iota n) xs)

-- Elements of two arrays, each step with numbers of its cell.
def read [n] [m] (xs: [n]f64, ys: [n]f64) (places: [m]i64) : [m]f64 =
  map (\p ->
         let factor = f64.i64 (p % 3)
         in loop s = 0 for j < 5i64 do s + factor * xs[(p + j * j) % n] * ys[(p * j) % n])
      places

-- ==
-- entry: steps
-- input { 13i64 20i64 } output { -11.0f64 -72.0f64 }
-- input { 1i64 3i64 } output { -30.0f64 -30.0f64 }
-- input { 13i64 0i64 } output { 0.0f64 0.0f64 }
entry steps (n: i64) (m: i64) =
  let (xs, ys) = vjp (\both -> read both (tabulate m (\i -> i * 7))) (made n, reverse (made n)) (made m)
  in (weighed xs, weighed ys)

-- The number of steps is known at the call alone; none at all is possible.
def counted [n] (m: i64) (k: i64) (xs: [n]f64) : [m]f64 =
  map (\i -> loop s = 0 for j < k do s + xs[(i * j + 2) % n] * xs[(i + j * j) % n]) (iota m)

-- ==
-- entry: many
-- input { 13i64 20i64 5i64 } output { 4.0f64 }
-- input { 13i64 20i64 0i64 } output { 0.0f64 }
-- input { 3i64 4i64 1i64 } output { 57.0f64 }
entry many (n: i64) (m: i64) (k: i64) = weighed (vjp (counted m k) (made n) (made m))

-- A search in each step: found anew in the return sweep, once for each step.
def found [n] (m: i64) (xs: [n]f64) : [m]f64 =
  let place x = loop at = 0 while at + 1 < n && at * at < x do at + 1
  in map (\i ->
            loop s = 0
            for j < 4i64 do
              let at = place (i * j)
              in s + xs[at] * f64.i64 j + xs[at / 2])
         (iota m)

-- ==
-- entry: searched
-- input { 13i64 20i64 } output { 124.0f64 }
-- input { 2i64 20i64 } output { 34.0f64 }
entry searched (n: i64) (m: i64) = weighed (vjp (found m) (made n) (made m))

-- What a step reads depends on the step before: the cell keeps its loop.
def following [n] (m: i64) (xs: [n]f64) : [m]f64 =
  map (\i -> loop s = 1 for j < 3i64 do s * xs[(i + j) % n]) (iota m)

-- ==
-- entry: products
-- input { 13i64 20i64 } output { 62.0f64 }
entry products (n: i64) (m: i64) = weighed (vjp (following m) (made n) (made m))
