-- Least and greatest elements of maps, whose returns run for these alone; scans of scans.
-- ==
-- entry: nearest
-- input { [[0.3, 1.2], [2.5, 0.7], [1.1, 0.9]] [[0.1, 0.2], [2.0, 1.0]] }
entry nearest [n] [k] (ps: [n][2]f64) (cs: [k][2]f64) =
  f64.sum (map (\p -> f64.minimum (map (\c -> f64.sum (map2 (\a b -> (a - b) * (a - b)) p c)) cs)) ps)

-- ==
-- entry: both_ends
-- input { [0.3, 1.2, 2.5, 0.7] 0.4 }
entry both_ends [n] (xs: [n]f64) (c: f64) = let ys = map2 (\x i -> x * c + f64.sin (x * f64.i64 i)) xs (iota n) in f64.maximum ys * f64.minimum ys

-- ==
-- entry: two_results
-- input { [0.3, 1.2, 2.5, 0.7] 0.4 }
entry two_results [n] (xs: [n]f64) (c: f64) = let (ys, zs) = unzip (map (\x -> (x * c, x + c)) xs) in f64.maximum ys * f64.minimum zs + f64.maximum zs + f64.sum ys

-- ==
-- entry: of_any_length
-- input { 0i64 0.4 }
-- input { 3i64 0.4 }
entry of_any_length (n: i64) (c: f64) = f64.min 100 (f64.minimum (map (\i -> c * f64.i64 (i + 1)) (iota n)))

-- ==
-- entry: of_rows
-- input { [[0.3, 1.2], [2.5, 0.7], [1.1, 0.9]] }
entry of_rows [n] [m] (xs: [n][m]f64) = map (\r -> f64.maximum (map (\x -> x * x * r[0]) r)) xs

-- ==
-- entry: in_loops
-- input { [0.3, 1.2, 2.5, 0.7] }
entry in_loops [n] (xs: [n]f64) = loop a = xs for i < 3 do let m = f64.maximum (map (\x -> x * x + a[i]) a) in map (\x -> x / m + 0.1) a

-- ==
-- entry: of_greatest
-- input { [[0.3, 1.2], [2.5, 0.7], [1.1, 0.9]] }
entry of_greatest [n] [m] (xs: [n][m]f64) = f64.minimum (map (\r -> f64.maximum (map (\x -> x * r[1]) r)) xs)

-- ==
-- entry: of_gathers
-- input { [0.3, 1.2, 2.5, 0.7] }
entry of_gathers [n] (xs: [n]f64) = f64.minimum (map (\i -> xs[i] * xs[(i + 1) % n] + xs[0]) (iota n))

-- ==
-- entry: in_arms
-- input { [0.3, 1.2, 2.5, 0.7] }
entry in_arms [n] (xs: [n]f64) = if xs[0] < 1 then f64.minimum (map (\x -> x * x) xs) else f64.maximum xs

-- ==
-- entry: twice
-- input { [0.3, 1.2, 2.5] }
entry twice (xs: [3]f64) = vjp (\ys -> f64.minimum (map (\y -> y * y * ys[1]) ys)) xs 1

-- ==
-- entry: of_scans
-- input { [0.3, 1.2, 2.5, 0.7] }
entry of_scans [n] (xs: [n]f64) = f64.maximum (scan (\a b -> a * b + b) 0 (map (\x -> x - 1) xs))

-- ==
-- entry: of_arrays
-- input { [0.3, 1.2, 2.5, 0.7] }
entry of_arrays [n] (xs: [n]f64) = let ys = map (\x -> loop v = replicate 3 x for i < 2 do v with [i + 1] = v[i] * x) xs in f64.maximum (map (\v -> f64.sum v) ys) + f64.minimum (map (.[2]) ys)

-- ==
-- entry: both_ways
-- input { [0.3, 1.2, 2.5, 0.7] }
entry both_ways [n] (xs: [n]f64) = scan (*) 1 (reverse (scan (*) 1 xs))

-- ==
-- entry: varied_neutral
-- input { [0.3, 1.2, 2.5, 0.7] 1.1 }
entry varied_neutral [n] (xs: [n]f64) (k: f64) = scan (\a b -> a * b * k) (1 / k) xs
