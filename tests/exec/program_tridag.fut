-- A tridiagonal solver made of scans over tuples.
-- ==
-- input { [1f64,2f64,3f64] [4f64,5f64,6f64] [1f64,1f64,1f64] [1f64,2f64,3f64] }
-- output { [0.1875f64, 0.25f64, 0.37499999999999994f64] }
def tridag [n] (a: [n]f64) (b: [n]f64) (c: [n]f64) (y: [n]f64) : *[n]f64 =
  let b0 = b[0]
  let mats = map (\i -> if 0 < i then (b[i], 0 - a[i] * c[i - 1], 1, 0) else (1, 0, 0, 1)) (iota n)
  let scmt =
    scan (\(a0, a1, a2, a3) (b0, b1, b2, b3) ->
            let v = 1 / (a0 * b0)
            in ((b0 * a0 + b1 * a2) * v, (b0 * a1 + b1 * a3) * v, (b2 * a0 + b3 * a2) * v, (b2 * a1 + b3 * a3) * v))
         (1, 0, 0, 1)
         mats
  let b = map (\(t0, t1, t2, t3) -> (t0 * b0 + t1) / (t2 * b0 + t3)) scmt
  let y0 = y[0]
  let cfuns = map (\i -> if 0 < i then (y[i], 0 - a[i] / b[i - 1]) else (0, 1)) (iota n)
  let cfuns = scan (\(a0, a1) (b0, b1) -> (b0 + b1 * a0, a1 * b1)) (0, 1) cfuns
  let y = map (\(a, b) -> a + b * y0) cfuns
  let yn = y[n - 1] / b[n - 1]
  let cfuns = map (\k -> let i = n - k - 1 in if 0 < k then (y[i] / b[i], 0 - c[i] / b[i]) else (0, 1)) (iota n)
  let cfuns = scan (\(a0, a1) (b0, b1) -> (b0 + b1 * a0, a1 * b1)) (0, 1) cfuns
  let y = map (\(a, b) -> a + b * yn) cfuns
  in map (\i -> y[n - i - 1]) (iota n)

entry main a b c y = tridag a b c y
