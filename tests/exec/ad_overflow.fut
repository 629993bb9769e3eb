-- Products that overflow where no weight depends on them: their derivatives are 0, not NaN.
-- ==
-- entry: running
-- input { 3i64 } output { [4.0, 4.0, 4.0, 0.0] 12.0 }
-- input { 2000i64 } output { [4.0, 4.0, 4.0, 0.0] 12.0 }
entry running (n: i64) =
  let g = vjp (\xs -> (scan (*) 1 xs)[2]) (replicate (n + 1) 2f64) 1
  in (g[:4], f64.sum g)

-- Linear functions: the matrix of the recurrence overflows as well.
-- ==
-- entry: linear
-- input { 3i64 } output { [3.0, 3.0, 0.0, 0.0] [3.0, 1.0, 0.0, 0.0] }
-- input { 2000i64 } output { [3.0, 3.0, 0.0, 0.0] [3.0, 1.0, 0.0, 0.0] }
entry linear (n: i64) =
  let op (a: f64, b: f64) (c: f64, d: f64) = (a * c, b * c + d)
  let weights = tabulate (n + 1) (\i -> f64.bool (i < 2))
  let (xs, ys) =
    vjp (\(xs, ys) -> map (\p -> p.0 + p.1) (scan op (1, 0) (zip xs ys)))
        (replicate (n + 1) 2, replicate (n + 1) 1)
        weights
  in ((xs :> [n + 1]f64)[:4], (ys :> [n + 1]f64)[:4])

-- Second derivatives: the product is infinite, those of two elements are not.
-- ==
-- entry: twice
-- input { [1.0, 0.0, 0.0] } output { [0.0, 1e-300, 1e200] [0.0, 1e-300, 1e200] }
-- input { [0.5, 0.25, 1.0] } output { [1e200, 1e200, 0.75e200] [1e200, 1e200, 0.75e200] }
entry twice (w: [3]f64) =
  let by_bin (xs: [3]f64) = (hist (*) 1 1 (map (const 0) xs) xs)[0]
  let second f = vjp (\xs -> vjp f xs 1) [1e200, 1e200, 1e-300] w
  in (second f64.product, second by_bin)

-- The same in cells, forward over reverse and reverse over reverse.
-- ==
-- entry: twice_in_cells
-- input { [[1e200, 1e200, 1e-300], [0.0, 1e200, 1e200], [1e200, 1e200, 0.0]] [[0.5, 0.25, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] }
-- output { [[1e200, 1e200, 0.75e200], [0.0, 1e200, 1e200], [0.0, 0.0, 1e200]]
--          [[1e200, 1e200, 0.75e200], [0.0, 1e200, 1e200], [0.0, 0.0, 1e200]] }
entry twice_in_cells [n] [m] (xss: [n][m]f64) (ws: [n][m]f64) =
  let gradient xss = vjp (\xss -> f64.sum (map f64.product xss)) xss 1
  in (jvp gradient xss ws, vjp gradient xss ws)

-- Forward over reverse mode: the product is finite, that of all elements but one is not.
-- ==
-- entry: quotients
-- input { [1.0, 0.0, 0.0, 0.0, 0.0] } output { [0.0, 1e300, 1e300, 1e300, 1e300] [[0.0, 1e300, 1e300, 1e300, 1e300]] }
-- input { [0.0, 1.0, 0.0, 0.0, 0.0] } output { [1e300, 0.0, 1.0, 1.0, 1.0] [[1e300, 0.0, 1.0, 1.0, 1.0]] }
entry quotients (w: [5]f64) =
  let xs = [1e-200, 1e100, 1e100, 1e100, 1e100]
  let second xs = jvp (\x -> vjp f64.product x 1) xs w
  in (second xs, map second [xs])

-- Nothing overflows but `y / x / x`, which forward mode would take of the quotient `y / x`.
-- ==
-- entry: balanced
-- input { [1e-160, 1e300, 1e-10] } output { [1e300, 1e-10, 1e300] }
entry balanced (xs: [3]f64) = jvp (\ys -> vjp f64.product ys 1) xs [1, 1, 1]

-- The same of bins: `y / x / x` overflows for the second element of a bin.
-- ==
-- entry: balanced_bins
-- input { [1e200, 1.0, 1e-200, 2.0] [0.0, 1.0, 1.0, 0.0] } output { [1.0, 0.0, 0.0, 2.0] [1.0, 0.0, 0.0, 2.0] }
-- input { [1e200, 1.0, 1e-200, 2.0] [1.0, 1.0, 0.0, 0.0] } output { [0.0, 0.0, 1.0, 2.0] [0.0, 0.0, 1.0, 2.0] }
entry balanced_bins (xs: [4]f64) (w: [4]f64) =
  let bins (xs: [4]f64) = reduce_by_index [1, 2f64] (*) 1 [0, 1, 0, 1] xs
  let gradient xs = vjp bins xs [1, 1]
  in (jvp gradient xs w, vjp gradient xs w)
