-- Sums, records, several results, operators in operators, rows that are written. `halo test --derivatives` checks them.

-- ==
-- entry: nested
-- input { [1.0, 2.0, 3.0] }
entry nested [n] (xs: [n]f64) = map (\x -> vjp (\y -> vjp (\z -> z * z * z * y) x 1) x 1) xs

-- ==
-- entry: hessian
-- input { [1.0, 2.0, 3.0] }
entry hessian [n] (xs: [n]f64) =
  let f (xs: [n]f64) = f64.sum (map2 (*) xs (map f64.sin xs)) * f64.product xs
  in tabulate n (\i -> jvp (\x -> vjp f x 1) xs (tabulate n (\j -> f64.bool (i == j))))

-- ==
-- entry: sums
-- input { [1.0, 2.0, 3.0] [0i64, 1i64, 2i64] }
type shape = #circle f64 | #box f64 f64 | #none

entry sums [n] (xs: [n]f64) (ks: [n]i64) =
  let make (x: f64) (k: i64): shape = if k == 0 then #circle x else if k == 1 then #box x (x * 2) else #none
  in map (\s -> match s case #circle r -> r * r * f64.pi case #box a b -> a * b case #none -> 0) (map2 make xs ks)

-- ==
-- entry: records
-- input { [1.0, 2.0, 3.0] 2.0 }
entry records [n] (xs: [n]f64) (k: f64) =
  let r = {a = xs, b = {c = k}}
  let g = vjp (\(r: {a: [n]f64, b: {c: f64}}) -> f64.sum (map (** r.b.c) r.a)) r 1
  in (g.a, g.b.c)

-- ==
-- entry: filtered
-- input { [1.0, -2.0, 3.0, -4.0] }
entry filtered [n] (xs: [n]f64) = f64.sum (map (\x -> x * x) (filter (> 0) xs))

-- ==
-- entry: multi
-- input { [1.0, -2.0, 3.0] 2.0 }
entry multi [n] (xs: [n]f64) (k: f64) = vjp (\(xs, k) -> (map (* k) xs, f64.sum xs * k, k * k)) (xs, k) (xs, k, 1)

-- ==
-- entry: rowscat
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [2i64, 0i64, 5i64] [[7.0, 8.0], [9.0, 1.0], [2.0, 3.0]] }
entry rowscat [n] [m] (a: [n][m]f64) (is: [n]i64) (v: [n][m]f64) = scatter (copy a) is v
