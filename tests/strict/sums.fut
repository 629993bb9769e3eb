-- Reductions and scans of floats from left to right, bit for bit the interpreter's: whole arrays.
-- ==
-- entry: sum_f32 scan_f32 product_f16 scan_product_f16 dot pairs_f64 argument mixed negative_zero
-- input { 0i64 }
-- input { 1i64 }
-- input { 33i64 }
-- input { 1000i64 }
def x (i: i64) = 0.1f32 * f32.i64 (i * 7 % 1013) - 31
def h (i: i64) = 1 + f16.i64 (i * 7 % 101 - 50) / 1024

entry sum_f32 (n: i64) = f32.sum (tabulate n x)
entry scan_f32 (n: i64) = scan (+) 0f32 (map (\i -> 0.1 * f32.i64 i) (iota n))
entry product_f16 (n: i64) = f16.product (tabulate n h)
entry scan_product_f16 (n: i64) = scan (*) 1f16 (tabulate n h)
entry dot (n: i64) = f32.sum (map2 (*) (tabulate n x) (map (\i -> x (i + 5)) (iota n)))

entry pairs_f64 (n: i64) =
  scan (\(a, b) (c, d) -> (a * c, b * c + d))
       (1f64, 0f64)
       (tabulate n (\i -> (1 - f64.i64 (i % 7) / 64, f64.f32 (x i) / 3)))

entry argument (n: i64) =
  reduce (\(a, i) (b, j) -> if a > b || a == b && i < j then (a, i) else (b, j))
         (-f32.inf, -1i64)
         (tabulate n (\i -> (x i, i)))

-- An exact one beside one with an order; the map is passed through.
entry mixed (n: i64) =
  let ys = tabulate n x
  let zs = map (\y -> f32.exp (y / 40)) ys
  in (zs, f32.sum zs, f32.maximum zs, i64.sum (map i64.f32 zs), scan (+) 0 zs)

-- 0 + -0 is 0.
entry negative_zero (n: i64) =
  (f32.sum (replicate n (-0.0)), scan (+) 0f32 (replicate n (-0.0)), reduce (*) (-1f32) (replicate n 0))
