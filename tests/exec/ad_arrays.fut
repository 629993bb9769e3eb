-- Maps, reductions, scans, gathers, updates, scatters and histograms.

def unit n i = tabulate n (\j -> f64.bool (i == j))
def forward [n] 'b (f: [n]f64 -> b) (xs: [n]f64) = jmp f xs (tabulate n (unit n))

-- ==
-- entry: products
-- input { [2.0, 3.0, 4.0] } output { [12.0, 8.0, 6.0] [12.0, 8.0, 6.0] 24.0 }
-- input { [2.0, 0.0, 4.0] } output { [0.0, 8.0, 0.0] [0.0, 8.0, 0.0] 0.0 }
-- input { empty([0]f64) } output { empty([0]f64) empty([0]f64) 1.0 }
entry products [n] (xs: [n]f64) =
  let (y, xs') = vjp2 f64.product xs 1
  in (xs', forward f64.product xs, y)

-- The first of equal elements counts.
-- ==
-- entry: extremes
-- input { [2.0, 5.0, 5.0, 1.0, 1.0] }
-- output { [0.0, 1.0, 0.0, 0.0, 0.0] [0.0, 0.0, 0.0, 1.0, 0.0] }
entry extremes [n] (xs: [n]f64) = (vjp f64.maximum xs 1, forward f64.minimum xs)

-- ==
-- entry: scans
-- input { [1.0, 2.0, 3.0] [1.0, 1.0, 1.0] }
-- output { [3.0, 2.0, 1.0] [9.0, 4.0, 2.0] [[1.0, 2.0, 6.0], [0.0, 1.0, 3.0], [0.0, 0.0, 2.0]] }
entry scans [n] (xs: [n]f64) (weights: [n]f64) =
  ( vjp (scan (+) 0) xs weights
  , vjp (scan (*) 1) xs weights
  , forward (scan (*) 1) xs
  )

-- Free scalars and arrays of a map count, an array that is also its input twice.
-- ==
-- entry: free
-- input { [1.0, 2.0] 3.0 } output { [7.0, 10.0] 7.0 }
entry free [n] (xs: [n]f64) (c: f64) =
  vjp (\(xs, c) -> f64.sum (map (\x -> c * x + x * xs[0] + xs[n - 1] * c) xs)) (xs, c) 1

-- ==
-- entry: gather
-- input { [1.0, 2.0, 3.0] [2i64, 0i64, 2i64, 2i64] } output { [1.0, 0.0, 3.0] }
entry gather [n] [m] (xs: [n]f64) (is: [m]i64) =
  vjp (\xs -> map (\i -> xs[i]) is) xs (replicate m 1)

-- In place: what is overwritten has no more influence.
-- ==
-- entry: updates
-- input { [1.0, 2.0, 3.0] } output { [0.0, 9.0, 9.0] [[0.0, 0.0, 0.0], [3.0, 1.0, 0.0], [2.0, 0.0, 1.0]] }
entry updates (xs: [3]f64) =
  let f (xs: [3]f64) =
    let ys = copy xs
    let ys[0] = ys[1] * ys[2]
    in ys
  in (vjp f xs [3, 0, 3], forward f xs)

-- ==
-- entry: squares
-- input { [1, 2, 3] } output { [[2, 0, 0], [0, 4, 0], [0, 0, 6]] [[2, 0, 0], [0, 4, 0], [0, 0, 6]] }
entry squares [n] (xs: [n]i32) =
  let f (xs: [n]i32) = loop ys = copy xs for i < n do let y = ys[i] in ys with [i] = y * y
  let units = tabulate n (\i -> tabulate n (\j -> i32.bool (i == j)))
  in (jmp f xs units, mjp f xs units)

-- Of several values for one place the last one stays.
-- ==
-- entry: scatters
-- input { [1.0, 2.0, 3.0] [0i64, 5i64, 0i64] [7.0, 8.0, 9.0] } output { [0.0, 2.0, 3.0] [0.0, 0.0, 1.0] }
entry scatters (xs: [3]f64) (is: [3]i64) (vs: [3]f64) =
  vjp (\(xs, vs) -> scatter (copy xs) is vs) (xs, vs) [1, 2, 3]

-- ==
-- entry: histograms
-- input { [0i64, 1i64, 0i64, 7i64] [2.0, 3.0, 4.0, 5.0] }
-- output { [1.0, 2.0, 1.0, 0.0] [4.0, 2.0, 2.0, 0.0] [0.0, 2.0, 1.0, 0.0] }
entry histograms [n] (is: [n]i64) (vs: [n]f64) =
  ( vjp (hist (+) 0 2 is) vs [1, 2]
  , vjp (hist (*) 1 2 is) vs [1, 2]
  , vjp (hist f64.max f64.lowest 2 is) vs [1, 2]
  )

-- ==
-- entry: moves
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[1.0, 3.0], [2.0, 4.0]] [[4.0, 2.0], [1.0, 3.0]] }
entry moves (xs: [2][2]f64) =
  let weights = [[1, 2], [3, 4]]
  in ( vjp transpose xs weights
     , vjp (\(xs: [2][2]f64) -> unflatten (rotate 1 (flatten (transpose xs)))) xs weights
     )

-- ==
-- entry: counted
-- input { 5i64 } output { 5i64 }
entry counted (n: i64) = vjp (\n -> i64.sum (iota n)) n 1

-- Ends and steps of a range only steer.
-- ==
-- entry: ranged
-- input { 4i64 } output { 6i64 6i64 0i64 }
entry ranged (n: i64) =
  let f a = i64.sum (map (* a) (1..<a))
  in (vjp f n 1, jvp f n 1, vjp (\a -> i64.sum (1..a...11)) n 1)

-- ==
-- entry: sorted
-- input { [3f32, 1f32, 2f32] } output { [30f32, 10f32, 20f32] [30, 10, 20] }
entry sorted (xs: [3]f32) =
  ( vjp f32.sort xs [10, 20, 30]
  , vjp i32.sort (map i32.f32 xs) [10, 20, 30]
  )

-- ==
-- entry: directions
-- input { [1.0, 2.0] } output { [3.0, 2.0] empty([0][2]f64) empty([0][2]f64) }
entry directions (xs: [2]f64) =
  let f (xs: [2]f64) = [xs[0] + xs[1], xs[0] * xs[1]]
  let (ys, none) = mjp2 f xs ([] : [0][2]f64)
  in (ys, none, jmp f xs ([] : [0][2]f64))
