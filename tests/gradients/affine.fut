-- Reads through affine maps of positions. `halo test --derivatives` checks them.

-- ==
-- entry: mirrored turned strided shifted_back backwards_twice rows_turned
-- input { [1.0, 2.0, 3.0, 0.5, -1.5] }
entry mirrored [n] (xs: [n]f64) = map (\i -> xs[n - 1 - i] * f64.i64 i) (iota n)
entry turned [n] (xs: [n]f64) = map (\i -> let x = xs[(i + 2) % n] in x * x) (iota n)
entry strided [n] (xs: [n]f64) = map (\i -> xs[2 * i + 1] ** 2) (iota (n / 2))
entry shifted_back [n] (xs: [n]f64) = map (\i -> xs[4 - 2 * i] * xs[i]) (iota 2)
entry backwards_twice [n] (xs: [n]f64) = map (\i -> xs[(3 - i) % n] * f64.i64 i) (iota n)

entry rows_turned [n] (xs: [n]f64) =
  let a = map (\x -> map (* x) xs) xs
  in map (\i -> f64.sum (map2 (*) a[n - 1 - i] xs)) (iota n)

-- ==
-- entry: rotated
-- input { 3i64 [1.0, 2.0, 3.0, 0.5, -1.5] }
-- input { -7i64 [1.0, 2.0, 3.0, 0.5, -1.5] }
entry rotated [n] (r: i64) (xs: [n]f64) = map2 (*) xs (rotate r xs)
