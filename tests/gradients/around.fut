-- Neighbours around the ends, in each spelling. `halo test --derivatives` checks them.

-- ==
-- entry: heat upwind products rotated squares sheared
-- input { [1.0, 2.0, 3.0, 0.5, -1.5, 0.25] }
-- input { [1.0, 2.0] }
-- input { [0.5] }
entry heat [n] (xs: [n]f64) =
  loop u = xs
  for _i < 3 do
    map3 (\l c r -> c + 0.2 * (l - 2 * c + r)) (rotate (-1) u) u (rotate 1 u)

entry upwind [n] (xs: [n]f64) =
  loop u = xs
  for _i < 3 do
    tabulate n (\i -> u[i] - 0.1 * u[i] * (u[(i + 1) % n] - u[(i - 1 + n) % n]))

entry products [n] (xs: [n]f64) =
  tabulate n (\i -> xs[(n + i - 2) % n] * xs[(i + 1) % n] + f64.sin xs[(i - n) % n])

entry rotated [n] (xs: [n]f64) =
  loop u = xs
  for i < 3 do
    map2 (\a b -> a * f64.cos b + f64.i64 i) u (rotate 1 u)

entry squares [n] (xs: [n]f64) =
  let g = tabulate_2d n n (\i j -> xs[i] * f64.i64 (j + 1) + xs[j])
  let g =
    loop g for _i < 2 do
      tabulate_2d n n (\i j ->
                         g[i, j]
                         + 0.1
                           * (g[(i + 1) % n, j] + g[(i - 1) % n, j] * g[i, (j + 1) % n]))
  in map f64.sum g

entry sheared [n] (xs: [n]f64) =
  let g = tabulate_2d n n (\i j -> xs[i] * f64.i64 (j + 1))
  in map (\i -> f64.sum (map (\j -> g[(i + 1) % n, (j + i) % n] * xs[j]) (iota n))) (iota n)
