-- Scans of which some components have a cotangent: the others have none unless these read them.
-- tolerance: exact

def made (n: i64) : [n]f64 = tabulate n (\i -> f64.i64 (i * 5 % 7 - 3))
def weighed [n] (xs: [n]f64) : f64 = f64.sum (map2 (\i x -> x * f64.i64 (i % 11 + 1)) (iota n) xs)

-- One row of a matrix.
def product (a: f64, b: f64, c: f64, d: f64) (p: f64, q: f64, r: f64, s: f64) =
  (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s)

def row [n] (xs: [n]f64) : [n]f64 = map (.1) (scan product (1, 0, 0, 1) (map (\x -> (1, x, 0, x - 1)) xs))

-- ==
-- entry: of_row
-- input { 6i64 } output { 50.0f64 }
-- input { 1i64 } output { -3.0f64 }
-- input { 0i64 } output { 0.0f64 }
entry of_row (n: i64) = weighed (vjp row (made n) (reverse (made n)))

-- A component that the wanted one reads, and one that nothing reads.
def chained [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  map (.1) (scan (\(a, b, c) (x, y, z) -> (a * x, b * x + y, c * z)) (1, 0, 1) (zip3 (map (* 2) xs) ys (map2 (-) xs ys)))

-- ==
-- entry: of_chain
-- input { 6i64 } output { -4144.0f64 -184.0f64 }
-- input { 1i64 } output { 0.0f64 -3.0f64 }
-- input { 0i64 } output { 0.0f64 0.0f64 }
entry of_chain (n: i64) =
  let (xs, ys) = vjp (\(xs, ys) -> chained xs ys) (made n, reverse (made n)) (made n)
  in (weighed xs, weighed ys)

-- The unwanted component overflows.
def beside [n] (xs: [n]f64) : [n]f64 =
  map (.0) (scan (\(a, b) (x, y) -> (a * x, b * y)) (1, 1) (map (\x -> (x, x * 1e200)) xs))

-- ==
-- entry: of_part
-- input { 6i64 } output { 14533.0f64 }
entry of_part (n: i64) = weighed (vjp beside (map (+ 4) (made n)) (made n))

-- The reads of the operator's elements are of other arrays: they stay where they are.
def gathered [n] (places: [n]i64) (xs: [n]f64) : [n]f64 =
  map (.1) (scan (\(a, b) (x, y) -> (a * x, b * x + y)) (1, 0) (map (\i -> (xs[i], xs[(i * i) % n] + f64.i64 i)) places))

-- ==
-- entry: of_gathered
-- input { 6i64 } output { -831.0f64 }
-- input { 1i64 } output { -3.0f64 }
entry of_gathered (n: i64) = weighed (vjp (gathered (map (\i -> (i * 5 + 2) % n) (iota n))) (made n) (made n))
