-- Powers, roots and logarithms on f32. As in `math_f32.fut`: only operations that all engines
-- round alike. The accuracy of each function is in tests/math/README.md.

-- | A logarithm outside of its finite positive arguments, else `y`.
def log_cases_f32 (x: f32) (y: f32) : f32 =
  let infinity = f32.from_bits 0x7f800000u32
  in if x < infinity
     then (if x > 0f32 then y else if x == 0f32 then -infinity else f32.from_bits 0x7fc00000u32)
     else x

-- | The logarithm to base 2; exact for powers of 2.
def log2_f32 (x: f32) : f32 =
  let (n, f) = log_split_f32 x
  let (a, al) = pair_product_f32 (log1_pair_f32 (f, 0f32)) (1.442695f32, 1.925963e-8f32)
  let (s, e) = fast_sum_f32 n a
  in log_cases_f32 x (s + (e + al))

-- | The logarithm to base 10.
def log10_f32 (x: f32) : f32 =
  let (n, f) = log_split_f32 x
  let (a, al) = pair_product_f32 (log1_pair_f32 (f, 0f32)) (0.4342945f32, -1.010305e-8f32)
  let (s, e) = fast_sum_f32 (n * 0.30103302f32) a
  in log_cases_f32 x (s + (e + f32.fma n (-3.0243555e-6f32) al))

-- | `log (1 + x)`, precise for small `x`.
def log1p_f32 (x: f32) : f32 =
  let infinity = f32.from_bits 0x7f800000u32
  let (h, l) = log_pair_f32 (two_sum_f32 1f32 (if x < infinity then x else 1f32))
  let y = log_cases_f32 (if x == -1f32 then 0f32 else 1f32 + x) (h + l)
  in if f32.abs x < 6.1035156e-5f32 then x - 0.5f32 * x * x else y

-- | Whether a finite number is an odd integer.
def is_odd_f32 (y: f32) : bool =
  let half = 0.5f32 * y
  in f32.floor y == y && f32.floor half != half

-- | `a^y` for finite `a > 0`: `exp (y log a)` on pairs. A `y` beyond 1.0995116e12f32 gives
-- the result of that bound.
def pow_positive_f32 (a: f32) (y: f32) : f32 =
  let z =
    if y > 1.0995116e12f32
    then 1.0995116e12f32
    else if y < -1.0995116e12f32 then -1.0995116e12f32 else y
  let (h, l) = log_wide_f32 a
  let p = z * h
  let pl = f32.fma z l (f32.fma z h (-p))
  let p1 = if p > 89f32 then 89f32 else if p < -104f32 then -104f32 else p
  let (k, s, d) = exp_wide_f32 (p1, if p1 == p then pl else 0f32)
  in scale_f32 k (s + d)

-- | `x` to the power `y`, with the special cases of C; but where one operation has it.
def pow_any_f32 (x: f32) (y: f32) : f32 =
  let infinity = f32.from_bits 0x7f800000u32
  let nan = f32.from_bits 0x7fc00000u32
  let a = f32.abs x
  let b = f32.abs y
  let ordinary = a > 0f32 && a < infinity && b < infinity
  let m = pow_positive_f32 (if ordinary then a else 1f32) (if ordinary then y else 1f32)
  let at_end =
    if a == 0f32 || a == infinity
    then (if (a == 0f32) == (y < 0f32) then infinity else 0f32)
    else if a == 1f32
    then 1f32
    else if (a > 1f32) == (y > 0f32)
    then infinity
    else 0f32
  let size = if ordinary then m else at_end
  let negative = f32.to_bits x >> 31u32 != 0u32
  let r = if negative && b < infinity && is_odd_f32 y then -size else size
  in if y == 0f32 || x == 1f32
     then 1f32
     else if f32.isnan x || f32.isnan y
     then nan
     else if x < 0f32 && a < infinity && b < infinity && f32.floor y != y
     then nan
     else r

-- | `x` times the pair `(p, e)`, rounded at the end; where that is 0 or infinite, `x p`.
def last_product_f32 (x: f32) (p: f32, e: f32) : f32 =
  let q = x * p
  in if q == 0f32 || f32.isinf q then q else q + f32.fma x e (f32.fma x p (-q))

-- | `x^3`. A small number is scaled, lest errors of products are tiny.
def cube_f32 (x: f32) : f32 =
  let small = f32.abs x < 1e-7f32
  let y = if small then x * 1.0737418e9f32 else x
  let r = last_product_f32 y (two_product_f32 y y)
  in if small then r * 8.077936e-28f32 else r

-- | `x^4`, likewise.
def fourth_power_f32 (x: f32) : f32 =
  let small = f32.abs x < 1e-7f32
  let y = if small then x * 1.0737418e9f32 else x
  let (p, e) = two_product_f32 y y
  let r = last_product_f32 p (p, e + e)
  in if small then r * 7.523164e-37f32 else r

-- | `x` to the power `y`, with the special cases of C. The meaning of `**`. A few exponents that
-- programs write as constants take a few operations; they leave nothing else of the function.
def pow_f32 (x: f32) (y: f32) : f32 =
  if y == 2f32
  then x * x
  else if y == 1f32
  then x
  else if y == 0f32
  then 1f32
  else if y == 3f32
  then cube_f32 x
  else if y == 4f32
  then fourth_power_f32 x
  else if y == -1f32
  then 1f32 / x
  else if y == 0.5f32
  then (let infinity = f32.from_bits 0x7f800000u32
        -- the root of -0 is -0
        in if x == -infinity then infinity else f32.sqrt (x + 0f32))
  else pow_any_f32 x y

-- | The cube root. `x = m 8^j` with `1 <= m < 8`; iterations of third order for `1 / cbrt m` need
-- no division, and the last correction is worked out on a pair.
def cbrt_f32 (x: f32) : f32 =
  let a = f32.abs x
  let ordinary = a > 0f32 && a < f32.from_bits 0x7f800000u32
  let tiny = a < 1.17549435e-38f32
  let bits = f32.to_bits (if ordinary then (if tiny then a * 16777216f32 else a) else 1f32)
  let e = i32.u32 (bits >> 23u32) - (if tiny then 1i32 else -23i32)
  -- e is not negative; 43691 / 2^17 is a third for its values
  let j = (e * 43691i32) >> 17i32
  let m = f32.from_bits ((bits & 0x007fffffu32) | (u32.i32 (e - 3i32 * j + 127i32) << 23u32))
  let y0 = poly3_f32 m 1.2370203f32 (-0.29720843f32) 0.04589487f32 (-0.002548917f32)
  let refine y =
    let h = f32.fma (-m * y) (y * y) 1f32
    in f32.fma (y * h) (f32.fma h 0.22222222f32 0.33333334f32) y
  let y = refine y0
  let c = m * y * y
  let (s, sl) = two_product_f32 c c
  let r = f32.fma (f32.fma (-s) c m - sl * c) (y * y * 0.33333334f32) c
  let scaled = r * pow2_f32 (j - 50i32)
  in if ordinary then f32.from_bits (f32.to_bits scaled | (f32.to_bits x & 0x80000000u32)) else x

-- | One divided by the square root, with the errors of both operations put right.
def rsqrt_f32 (x: f32) : f32 =
  let ordinary = x > 0f32 && x < f32.from_bits 0x7f800000u32
  let tiny = x < 8.6736174e-19f32
  let a = if ordinary then (if tiny then x * 1.8446744e19f32 else x) else 1f32
  let s = f32.sqrt a
  let r = 1f32 / s
  let y = f32.fma r (f32.fma (-s) r 1f32 - 0.5f32 * r * r * f32.fma (-s) s a) r
  in if ordinary then (if tiny then y * 4.2949673e9f32 else y) else 1f32 / f32.sqrt x

-- | `sqrt (x^2 + y^2)` without overflow on the way.
def hypot_f32 (x: f32) (y: f32) : f32 =
  let infinity = f32.from_bits 0x7f800000u32
  let ax = f32.abs x
  let ay = f32.abs y
  let a = if ax > ay then ax else ay
  let b = if ax > ay then ay else ax
  let up =
    if a > 1.1529215e18f32
    then 1.3552527e-20f32
    else if a < 8.6736174e-19f32 then 1.23794004e27f32 else 1f32
  let down =
    if a > 1.1529215e18f32
    then 7.378698e19f32
    else if a < 8.6736174e-19f32 then 8.077936e-28f32 else 1f32
  let (p, pl) = two_product_f32 (a * up) (a * up)
  let (q, ql) = two_product_f32 (b * up) (b * up)
  let (s, sl) = fast_sum_f32 p q
  let (h, l) = pair_sqrt_f32 (s, sl + (pl + ql))
  in if ax == infinity || ay == infinity
     then infinity
     else if f32.isnan x || f32.isnan y
     then x + y
     else if b == 0f32
     then a
     else (h + l) * down
