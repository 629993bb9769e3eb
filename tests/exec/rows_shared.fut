-- What all rows of a nest compute alike of an inner position is computed once.
-- ==
-- entry: waves
-- input { 2i64 3i64 } output { [0f32, 1.9833806f32] }
-- input { 0i64 3i64 } output { empty([0]f32) }
-- input { 3i64 0i64 } output { [0f32, 0f32, 0f32] }

-- ==
-- entry: scanned
-- input { [1f32, -2f32] [0f32, 1f32, 2f32] } output { [[1f32, 1.5403023f32, 1.1241554f32], [-2f32, -3.0806046f32, -2.2483108f32]] }

-- ==
-- entry: nested
-- input { 2i64 2i64 3i64 } output { [[0f32, 3.2227821f32], [6.4455643f32, 9.668346f32]] }

-- ==
-- entry: steps
-- input { 20i64 5i64 [1i64, 2i64, 4i64] } output { true }
-- input { 20i64 0i64 [1i64, 2i64, 4i64] } output { true }
-- input { 0i64 7i64 [1i64, 2i64, 4i64] } output { true }
-- input { 16i64 7i64 empty([0]i64) } output { true }
-- input { 15i64 7i64 [3i64, -2i64, 4i64] } output { true }
-- input { 17i64 33i64 [3i64, -2i64, 4i64, 7i64, 1i64] } output { true }
-- input { 3i64 3i64 [1i64, 1i64, 1i64, 1i64] } output { true }
-- input { 20i64 5i64 [1i64, 0i64, 4i64] } error: H7003

def wave (k: i64) (x: f32) : f32 = f32.cos (0.1f32 * f32.i64 k) * x

entry waves (n: i64) (m: i64) : [n]f32 =
  let xs = map (\i -> f32.i64 i) (iota n)
  in map (\x -> f32.sum (map (\k -> wave k (x * 2f32 / 3f32)) (iota m))) xs

entry scanned [n] [m] (xs: [n]f32) (ys: [m]f32) : [n][m]f32 =
  map (\x -> scan (+) 0f32 (map (\y -> x * (f32.cos y)) ys)) xs

-- Both levels of the nest leave it.
entry nested (n: i64) (m: i64) (k: i64) : [n][m]f32 =
  let ks = iota k
  in tabulate_2d n m (\i j -> f32.sum (map (\l -> f32.exp (0.07f32 * f32.i64 l) * f32.i64 (i * m + j)) ks))

-- Of steps of a loop, whose divisors may be 0.
entry steps [k] (n: i64) (m: i64) (ds: [k]i64) : bool =
  let row i =
    loop xs = replicate m (f32.i64 i)
    for d in ds do
      map2 (\x j -> x + f32.cos (0.5f32 * f32.i64 (j % d))) xs (iota m)
  let cell i j = loop x = f32.i64 i for d in ds do x + f32.cos (0.5f32 * f32.i64 (j % d))
  in and (map2 (==) (flatten (map row (iota n))) (flatten (tabulate_2d n m cell)))
