-- Scans and histograms by operators that have no parallel rule, and offsets of run time: both modes
-- agree to the bit.

def dot [n] (xs: [n]f64) (ys: [n]f64) = f64.sum (map2 (*) xs ys)

def agrees [n] [m] (f: [n]f64 -> [m]f64) (xs: [n]f64) : bool =
  let direction = map (\x -> 2 * x - 3) xs
  let (ys, ys') = jvp2 f xs direction
  let weights = map (\i -> f64.i64 (i * i % 7) - 2) (iota m)
  let (zs, xs') = vjp2 f xs weights
  let plain = f xs
  in dot ys' weights == dot direction xs' && all id (map2 (==) ys plain) && all id (map2 (==) zs plain)

-- ==
-- entry: rows
-- input { [3.0, 1.0, 4.0, 1.0, 5.0, 9.0] } output { [true, true, true, true] }
entry rows (xs: [6]f64) =
  [ agrees (\xs -> flatten (scan (map2 (*)) (rep 1) (unflatten (xs :> [2 * 3]f64)))) xs
  , agrees (\xs -> map (.1) (scan (\(a, b) (c, d) -> (a & c, b * d)) (3i32, 1f64) (zip (map i32.f64 xs) xs))) xs
  , agrees (\xs -> hist (\a b -> a + b + xs[0] * a * b) 0 4 [0, 2, 0, 9, 1, 0] xs) xs
  , agrees (\xs -> map (\(a, b) -> a * b) (hist (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) 4 [0, 2, 0, 9, 1, 0] (zip xs xs))) xs
  ]

-- ==
-- entry: offsets
-- input { [3.0, 1.0, 4.0, 1.0, 5.0, 9.0] [-1i64, 0i64, 2i64, -3i64] } output { [true, true, true, true] }
entry offsets (xs: [6]f64) (os: []i64) =
  let f b (xs: [6]f64) = stencil_1d_with b os (\c v -> f64.product v + c) xs xs
  in [agrees (f #clamp) xs, agrees (f #mirror) xs, agrees (f #wrap) xs, agrees (f (#constant 2)) xs]

-- What is padded with varies.
-- ==
-- entry: padded
-- input { [3.0, 1.0, 4.0, 1.0, 5.0, 9.0] } output { [true, true, true] }
entry padded (xs: [6]f64) =
  let plane (xs: [6]f64) = unflatten (xs :> [2 * 3]f64)
  in [ agrees (\xs -> pad_1d 2 1 (#constant xs[1]) (map (* xs[0]) xs)) xs
     , agrees (\xs -> flatten (pad_2d 1 2 2 1 (#constant (xs[0] * xs[1]), #constant xs[2]) (plane xs))) xs
     , agrees (\xs -> flatten (pad_2d 1 2 2 1 (#mirror, #clamp) (plane xs))) xs
     ]
