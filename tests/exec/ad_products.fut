-- Products of floats: normal ones, zeros, overflow, subnormal ones; elements outside, a destination.
-- ==
-- entry: others
-- input { [2.0, 4.0, 0.5] } output { [2.0, 1.0, 8.0] [2.0, 1.0, 8.0] }
-- input { [2.0, 0.0, 0.5] } output { [0.0, 1.0, 0.0] [0.0, 1.0, 0.0] }
-- input { [0.0, 0.0, 0.5] } output { [0.0, 0.0, 0.0] [0.0, 0.0, 0.0] }
-- input { [1e200, 1e200, 1e-300] } output { [1e-100, 1e-100, f64.inf] [1e-100, 1e-100, f64.inf] }
-- input { empty([0]f64) } output { empty([0]f64) empty([0]f64) }
entry others (xs: []f64) = (vjp f64.product xs 1, vjp (\xs -> (hist (*) 1 1 (map (const 0) xs) xs)[0]) xs 1)

-- ==
-- entry: bins
-- input { [2.0, 3.0, 0.0] } output { [18.0, 10.0, 1500.0] [24.0, 18.0, 0.0, 0.0, 0.0, 6.0] }
-- input { [2.0, 3.0, 7.0] } output { [18.0, 10.0, 1500.0] [24.0, 18.0, 3500.0, 0.0, 2100.0, 6.0] }
entry bins (d: [3]f64) =
  let f (d: [3]f64, xs: [6]f64) = reduce_by_index (copy d) (*) 1 [0, 0, 2, -1, 2, 0] xs
  in vjp f (d, [1.5, 2.0, 3.0, 4.0, 5.0, 6.0]) [1, 10, 100]

-- Second derivatives at a zero.
-- ==
-- entry: hessians
-- input { [2.0, 0.0, 3.0] }
-- output { [[0.0, 3.0, 0.0], [3.0, 0.0, 2.0], [0.0, 2.0, 0.0]] [[0.0, 3.0, 0.0], [3.0, 0.0, 2.0], [0.0, 2.0, 0.0]] }
-- input { [2.0, 4.0, 3.0] }
-- output { [[0.0, 3.0, 4.0], [3.0, 0.0, 2.0], [4.0, 2.0, 0.0]] [[0.0, 3.0, 4.0], [3.0, 0.0, 2.0], [4.0, 2.0, 0.0]] }
entry hessians (xs: [3]f64) =
  let gradient f x = vjp f x 1
  let unit i: [3]f64 = tabulate 3 (\j -> f64.bool (i == j))
  let by_bin (xs: [3]f64) = (hist (*) 1 1 (map (const 0) xs) xs)[0]
  in ( map (\i -> jvp (gradient f64.product) xs (unit i)) (iota 3)
     , map (\i -> vjp (gradient by_bin) xs (unit i)) (iota 3)
     )
