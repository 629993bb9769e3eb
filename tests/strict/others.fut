-- Sums that come from stencils, operators on arrays, filters, and inside of while loops and branches.
-- ==
-- entry: norm norm_2d window rows_of_vectors scan_of_vectors places until branch
-- input { 1i64 }
-- input { 40i64 }
-- input { 1000i64 }
def x (i: i64) = 0.1f32 * f32.i64 (i * 7 % 1013) - 31

entry norm (n: i64) =
  let xs = tabulate n x
  let ys = stencil_1d [-1, 0, 1] (\() v -> v[0] / 3 + v[1] + v[2] / 7) (rep ()) xs
  in (ys, f32.sum (map2 (\a b -> (a - b) * (a - b)) xs ys))

entry norm_2d (n: i64) =
  let xs = tabulate_2d n 30 (\i j -> x (i * 30 + j))
  let ys = stencil_2d [(0, -1), (-1, 0), (0, 0), (1, 0)] (\() v -> v[0] / 3 + v[1] + v[2] / 7 - v[3]) (rep (rep ())) xs
  in f32.sum (map f32.sum ys) + f32.sum (flatten ys)

entry window (n: i64) =
  let xs = tabulate n x
  in map (\i -> f32.sum (map (\j -> xs[(i + j) % n] / f32.i64 (j + 1)) (iota 25))) (iota n)

entry rows_of_vectors (n: i64) =
  reduce (map2 (+)) (replicate 20 0f32) (tabulate_2d n 20 (\i j -> x (i * 20 + j)))

entry scan_of_vectors (n: i64) =
  scan (map2 (+)) (replicate 5 0f32) (tabulate_2d n 5 (\i j -> x (i * 5 + j)))

-- Places that come from a scan of floats; pairs of one place have one value.
entry places (n: i64) =
  let ends = scan (+) 0f32 (map (\i -> if x i > 0 then 0.7 else 0.1) (iota n))
  let places = map i64.f32 ends
  in scatter (replicate n (-1)) places (map (\p -> p * p + n) places)

entry until (n: i64) =
  loop xs = tabulate n x while f32.sum (map f32.abs xs) > 1 do map (\v -> v * 0.4) xs

entry branch (n: i64) =
  let xs = tabulate n x
  in if n > 39 then (f32.sum xs, scan (+) 0 xs) else (f32.product xs, scan (*) 1 xs)
