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

def wave (k: i64) (x: f32): f32 = f32.cos (0.1f32 * f32.i64 k) * x

entry waves (n: i64) (m: i64): [n]f32 =
  let xs = map (\i -> f32.i64 i) (iota n)
  in map (\x -> f32.sum (map (\k -> wave k (x * 2f32 / 3f32)) (iota m))) xs

entry scanned [n] [m] (xs: [n]f32) (ys: [m]f32): [n][m]f32 =
  map (\x -> scan (+) 0f32 (map (\y -> x * (f32.cos y)) ys)) xs

-- Both levels of the nest leave it.
entry nested (n: i64) (m: i64) (k: i64): [n][m]f32 =
  let ks = iota k
  in tabulate_2d n m (\i j -> f32.sum (map (\l -> f32.exp (0.07f32 * f32.i64 l) * f32.i64 (i * m + j)) ks))
