-- Common parts of the elementary functions on f32: arithmetic on pairs, whose unevaluated sum
-- `high + low` has about twice the precision, and logarithm and exponential function on pairs.
--
-- A pair is a number and a correction below half a unit in its last place. The basic operations are
-- those of Knuth and Dekker, products by `fma`. Literature: Dekker, A floating-point technique for
-- extending the available precision, 1971; Muller et al., Handbook of Floating-Point Arithmetic,
-- 2nd ed. 2018, chapters 4 and 5.

-- | A sum as a pair, exactly.
def two_sum_f32 (a: f32) (b: f32) : (f32, f32) =
  let s = a + b
  let t = s - a
  in (s, (a - (s - t)) + (b - t))

-- | As `two_sum_f32`, for `a = 0` or `|a| >= |b|`.
def fast_sum_f32 (a: f32) (b: f32) : (f32, f32) =
  let s = a + b
  in (s, b - (s - a))

-- | A product as a pair, exactly.
def two_product_f32 (a: f32) (b: f32) : (f32, f32) =
  let p = a * b
  in (p, f32.fma a b (-p))

-- | The sum of two pairs.
def pair_sum_f32 ((ah, al): (f32, f32)) ((bh, bl): (f32, f32)) : (f32, f32) =
  let (s, e) = two_sum_f32 ah bh
  in fast_sum_f32 s (e + (al + bl))

-- | The product of two pairs.
def pair_product_f32 ((ah, al): (f32, f32)) ((bh, bl): (f32, f32)) : (f32, f32) =
  let (p, e) = two_product_f32 ah bh
  in fast_sum_f32 p (f32.fma ah bl (f32.fma al bh e))

-- | The quotient of two pairs; `1 / bh` is a normal number. One division serves the quotient and
-- its correction, whose remainder `ah - q bh` is exact.
def pair_quotient_f32 ((ah, al): (f32, f32)) ((bh, bl): (f32, f32)) : (f32, f32) =
  let r = 1f32 / bh
  let q = ah * r
  in fast_sum_f32 q ((f32.fma (-q) bh ah + f32.fma (-q) bl al) * r)

-- | The square root of a pair above 0.
def pair_sqrt_f32 ((ah, al): (f32, f32)) : (f32, f32) =
  let s = f32.sqrt ah
  in fast_sum_f32 s ((f32.fma (-s) s ah + al) / (s + s))

-- | `x` times a constant pair; tiny numbers are scaled, so that their low parts do not vanish.
def times_pair_f32 (x: f32) ((ch, cl): (f32, f32)) : f32 =
  let tiny = f32.abs x < 8.6736174e-19f32
  let y = if tiny then x * 1.8446744e19f32 else x
  let r = f32.fma y ch (y * cl)
  in if tiny then r * 5.421011e-20f32 else r

-- | `x * 2^k`, rounded once, for `x` near 1 and `|k| <= 250`.
def scale_f32 (k: i32) (x: f32) : f32 =
  let k1 = k >> 1i32
  in x * pow2_f32 k1 * pow2_f32 (k - k1)

-- | `(n, f)` with `x = 2^n (1 + f)` and `1 + f` between `sqrt 0.5` and `sqrt 2`, for finite `x >
-- 0`.
def log_split_f32 (x: f32) : (f32, f32) =
  let tiny = x < 1.17549435e-38f32
  let bits = f32.to_bits (if tiny then x * 8388608f32 else x) + 0x004afb0du32
  let k = i32.u32 (bits >> 23u32) - (if tiny then 150i32 else 127i32)
  in (f32.i32 k, f32.from_bits ((bits & 0x007fffffu32) + 0x3f3504f3u32) - 1f32)

-- | `log (1 + f)` for a pair between `sqrt 0.5 - 1` and `sqrt 2 - 1`, relative error 2^-36: with
-- `s = f / (2 + f)` it is `2 artanh s = s (2 + s^2 (2/3 + ..))`.
def log1_pair_f32 ((fh, fl): (f32, f32)) : (f32, f32) =
  let (d, e) = fast_sum_f32 2f32 fh
  let s = pair_quotient_f32 (fh, fl) (d, e + fl)
  let z = pair_product_f32 s s
  let p = z.0 * poly3_f32 z.0 0.4f32 0.2857146f32 0.2220659f32 0.1911622f32
  let (c, ce) = fast_sum_f32 0.6666667f32 p
  let (v, ve) = pair_product_f32 z (c, ce - 1.9868216e-8f32)
  let (w, we) = fast_sum_f32 2f32 v
  in pair_product_f32 s (w, we + ve)

-- | `n ln 2` and the logarithm of the rest together. `n ln 2` is a pair because its constant is cut
-- short enough for an exact product.
def log_sum_f32 (n: f32) ((a, al): (f32, f32)) : (f32, f32) =
  let (s, e) = fast_sum_f32 (n * 0.693145752f32) a
  in fast_sum_f32 s (e + f32.fma n 1.42860677e-06f32 al)

-- | The natural logarithm of a pair above 0.
def log_pair_f32 ((xh, xl): (f32, f32)) : (f32, f32) =
  let (n, f) = log_split_f32 xh
  let small = if f32.abs n < 100f32 then n else 0f32
  let rest = if f32.abs n < 100f32 then xl * pow2_f32 (-(i32.f32 small)) else 0f32
  in log_sum_f32 n (log1_pair_f32 (two_sum_f32 f rest))

-- | `log x` for finite `x > 0` as a pair whose low part may be a few units in the last place of the
-- high one; relative error 2^-33. With `u = 2 f / (2 + f)` it is `u + u^3 (1/12 + u^2 (1/80 + ..))`,
-- where `u` and `u^3 / 12` are pairs. Shorter than `log_pair_f32`, with fewer steps in a row.
def log_wide_f32 (x: f32) : (f32, f32) =
  let (n, f) = log_split_f32 x
  let r = 1f32 / (2f32 + f)
  let u = (f + f) * r
  let ul = r * f32.fma (-u) f (2f32 * (f - u))
  let v = u * u
  let w = u * v
  let wl = f32.fma u v (-w) + f32.fma u (f32.fma u u (-v)) (3f32 * v * ul)
  let t = w * 0.083333336f32
  let tl = f32.fma w 0.083333336f32 (-t) + f32.fma w (-2.483527e-9f32) (wl * 0.083333336f32)
  let rest = w * v * poly3_f32 v 0.0125f32 0.0022321453f32 0.00043372246f32 9.334092e-5f32
  let (a, al) = fast_sum_f32 (n * 0.693145752f32) u
  let (b, bl) = fast_sum_f32 a t
  in (b, al + (bl + f32.fma n 1.42860677e-06f32 (ul + (tl + rest))))

-- | `(k, s, d)` with `exp x = 2^k (s + d)` for a pair within 200: as `exp_f32`, with the last sum
-- left open.
def exp_wide_f32 ((xh, xl): (f32, f32)) : (i32, f32, f32) =
  let t = f32.fma xh 1.442695f32 12582912f32
  let n = t - 12582912f32
  let k = i32.u32 (f32.to_bits t) - 0x4b400000i32
  let hi = f32.fma n (-0.693145752f32) xh
  let lo = f32.fma n 1.42860677e-06f32 (-xl)
  let r = hi - lo
  let rl = (hi - r) - lo
  let p = poly4_f32 r 0.49999994f32 0.1666652f32 0.041668236f32 0.008368819f32 0.0013823522f32
  let s = 1f32 + r
  in (k, s, ((1f32 - s) + r) + (rl + f32.fma r rl (r * r * p)))

-- | As `exp_wide_f32`, with a pair `(h, l)` in place of the sum.
def exp_pair_f32 (x: (f32, f32)) : (i32, f32, f32) =
  let (k, s, d) = exp_wide_f32 x
  let (h, l) = fast_sum_f32 s d
  in (k, h, l)
