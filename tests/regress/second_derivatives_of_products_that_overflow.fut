-- Second derivatives of products: partial products that overflow give infinities, not NaN.
-- ==
-- entry: overflow
-- input { [0.0, 1.0e300, 1.0e300, 2.0] } output { [f64.inf, 2.0e300, 2.0e300, f64.inf] }
entry overflow [n] (xs: [n]f64) : [n]f64 = vjp (\xs -> jvp (reduce (*) 1) xs (replicate n 1)) xs 1

-- ==
-- entry: scan_overflow
-- input { [1.0e200, 1.0e200, 1.0e-300] } output { [0.0, 2.0, 4.0e200] }
entry scan_overflow [n] (xs: [n]f64) : [n]f64 = jvp (\xs -> jvp (scan (*) 1) xs (replicate n 1)) xs (replicate n 1)
