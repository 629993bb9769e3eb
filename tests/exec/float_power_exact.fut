-- Exponents that one operation does: the same bits whether the exponent is known or not.
-- tolerance: exact
-- ==
-- entry: singles
-- input { [0f32, -0f32, 1.1f32, -3.3f32, 1e-30f32, 1e30f32, 1e-45f32, f32.inf, -f32.inf, f32.nan] [2f32, 1f32, 0f32, -1f32, 0.5f32] }
-- output { [true, true, true, true, true]
--          [[0f32, 0f32, 1.21f32, 10.889999f32, 0f32, f32.inf, 0f32, f32.inf, f32.inf, f32.nan],
--           [f32.inf, -f32.inf, 0.9090909f32, -0.3030303f32, 1e30f32, 1e-30f32, f32.inf, 0f32, -0f32, f32.nan],
--           [0f32, 0f32, 1.0488088f32, f32.nan, 1e-15f32, 1e15f32, 3.743392e-23f32, f32.inf, f32.inf, f32.nan]] }
-- ==
-- entry: doubles
-- input { [0f64, -0f64, 1.1f64, -3.3f64, 1e-300f64, f64.inf, -f64.inf, f64.nan] [2f64, 1f64, 0f64, -1f64, 0.5f64] }
-- output { [true, true, true, true, true] }
-- ==
-- entry: halves
-- input { [0f16, -0f16, 1.1f16, -3.3f16, 6e-8f16, f16.inf, -f16.inf, f16.nan] [2f16, 1f16, 0f16, -1f16, 0.5f16] }
-- output { [true, true, true, true, true] }

def same_f32 (a: f32) (b: f32) = f32.to_bits a == f32.to_bits b || (f32.isnan a && f32.isnan b)

def known_f32 (k: i64) (x: f32) : f32 =
  if k == 0 then x ** 2 else if k == 1 then x ** 1 else if k == 2 then x ** 0 else if k == 3 then x ** (-1) else x ** 0.5

entry singles [n] [m] (xs: [n]f32) (ys: [m]f32) =
  let agree = map2 (\y k -> all (\x -> same_f32 (x ** y) (known_f32 k x)) xs) ys (iota m)
  in (agree, map (\k -> map (known_f32 k) xs) [0, 3, 4])

def same_f64 (a: f64) (b: f64) = f64.to_bits a == f64.to_bits b || (f64.isnan a && f64.isnan b)

def known_f64 (k: i64) (x: f64) : f64 =
  if k == 0 then x ** 2 else if k == 1 then x ** 1 else if k == 2 then x ** 0 else if k == 3 then x ** (-1) else x ** 0.5

entry doubles [n] [m] (xs: [n]f64) (ys: [m]f64) =
  let agree = map2 (\y k -> all (\x -> same_f64 (x ** y) (known_f64 k x)) xs) ys (iota m)
  in agree

def same_f16 (a: f16) (b: f16) = f16.to_bits a == f16.to_bits b || (f16.isnan a && f16.isnan b)

def known_f16 (k: i64) (x: f16) : f16 =
  if k == 0 then x ** 2 else if k == 1 then x ** 1 else if k == 2 then x ** 0 else if k == 3 then x ** (-1) else x ** 0.5

entry halves [n] [m] (xs: [n]f16) (ys: [m]f16) =
  let agree = map2 (\y k -> all (\x -> same_f16 (x ** y) (known_f16 k x)) xs) ys (iota m)
  in agree
