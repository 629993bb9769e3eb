-- Elementary functions on f32: exp, log, sin, cos.
--
-- Every step is an operation that all engines round alike (+ - * and `fma` on f32, comparisons,
-- integer arithmetic, bit casts, integer to float conversions that are exact), so the results have
-- the same bits everywhere. Where a device takes tiny operands and results of `fma` for zero, they
-- do not show in the result. There is no division, and a choice on the common path has cheap pure
-- sides, so it compiles to a select. Polynomials are minimax fits with f32 coefficients (Sollya's
-- fpminimax; Brisebarre, Chevillard 2007). Errors are the maxima over all 2^32 arguments against
-- double precision, in units in the last place of the exact result. Literature: Cody, Waite,
-- Software Manual for the Elementary Functions, 1980; Muller et al., Handbook of Floating-Point
-- Arithmetic, 2nd ed. 2018, chapters 10 and 11.

-- | `c0 + x (c1 + x c2)` by Horner's scheme, each step rounded once; likewise those below. A
-- polynomial of higher degree has another one in place of its last coefficient.
def poly2_f32 (x: f32) (c0: f32) (c1: f32) (c2: f32) : f32 =
  f32.fma x (f32.fma x c2 c1) c0

-- | A polynomial of degree 3.
def poly3_f32 (x: f32) (c0: f32) (c1: f32) (c2: f32) (c3: f32) : f32 =
  f32.fma x (f32.fma x (f32.fma x c3 c2) c1) c0

-- | A polynomial of degree 4.
def poly4_f32 (x: f32) (c0: f32) (c1: f32) (c2: f32) (c3: f32) (c4: f32) : f32 =
  f32.fma x (f32.fma x (f32.fma x (f32.fma x c4 c3) c2) c1) c0

-- | A polynomial of degree 5.
def poly5_f32 (x: f32) (c0: f32) (c1: f32) (c2: f32) (c3: f32) (c4: f32) (c5: f32) : f32 =
  f32.fma x (f32.fma x (f32.fma x (f32.fma x (f32.fma x c5 c4) c3) c2) c1) c0

-- | `2^k` for `-126 <= k <= 127`, put together from its bits.
def pow2_f32 (k: i32) : f32 =
  f32.from_bits (u32.i32 (k + 127i32) << 23u32)

-- | The exponential function. Maximum error 0.771 ulp. Cody & Waite reduction: `x = k ln 2 + r`,
-- `|r| <= ln 2 / 2`. Adding 1.5 * 2^23 rounds to an integer and leaves `k` in the low bits; `ln 2`
-- comes in two parts, the first short enough that `k` times it is exact. `2^k` is applied as two
-- factors, so that overflow and gradual underflow happen in one rounding at the very end. The clamp
-- keeps both factors finite: beyond it the result is infinity or zero. A NaN passes through the
-- arithmetic.
def exp_f32 (x: f32) : f32 =
  let y = if x > 89f32 then 89f32 else if x < -104f32 then -104f32 else x
  let t = f32.fma y 1.44269502f32 12582912f32
  let n = t - 12582912f32
  let k = i32.u32 (f32.to_bits t) - 0x4b400000i32
  let hi = f32.fma n (-0.693145752f32) y
  let r = f32.fma n (-1.42860677e-06f32) hi
  let p =
    poly4_f32 r
              0.499999940f32
              0.166665196f32
              0.0416682363f32
              0.00836881902f32
              0.00138235220f32
  let s = 1f32 + r
  let d = (1f32 - s) + r + f32.fma n (-1.42860677e-06f32) (hi - r)
  let k1 = k >> 1i32
  in (s + f32.fma (r * r) p d) * pow2_f32 k1 * pow2_f32 (k - k1)

-- | The natural logarithm. Maximum error 0.744 ulp. `x = 2^k (1 + f)` with `1 + f` between `sqrt
-- 0.5` and `sqrt 2`, taken from the bits (subnormal numbers are scaled by 2^23 first); `log (1 + f)
-- = f - f^2/2 + f^3 P(f)`. The two large sums `k ln 2 + (f - f^2/2)` are Fast2Sums (Dekker 1971):
-- their rounding errors join the small terms, and only the last addition rounds.
def log_f32 (x: f32) : f32 =
  let tiny = x < 1.17549435e-38f32
  let bits = f32.to_bits (if tiny then x * 8388608f32 else x) + 0x004afb0du32
  let k = i32.u32 (bits >> 23u32) - (if tiny then 150i32 else 127i32)
  let f = f32.from_bits ((bits & 0x007fffffu32) + 0x3f3504f3u32) - 1f32
  let n = f32.i32 k
  let p =
    poly5_f32 f
              0.333333433f32
              (-0.250008434f32)
              0.200006425f32
              (-0.166221499f32)
              0.142104521f32
              (poly2_f32 f (-0.131791592f32) 0.127226517f32 (-0.0754609331f32))
  let ff = f * f
  let h = 0.5f32 * ff
  let a = f - h
  let a_low = (f - a) - h
  let b = n * 0.693145752f32
  let s = b + a
  let s_low = (b - s) + a
  let y = s + (s_low + (a_low + f32.fma n 1.42860677e-06f32 (f * ff * p)))
  let infinity = f32.from_bits 0x7f800000u32
  in if x < infinity
     then (if x > 0f32 then y else if x == 0f32 then -infinity else f32.from_bits 0x7fc00000u32)
     else x

-- | Word `i` (0 to 7) of the bits of `2/pi`, after 32 zero bits: the table of `pio2_far_f32`.
def two_over_pi_word_f32 (i: i32) : u32 =
  if i < 4i32
  then (if i < 2i32
        then (if i == 0i32 then 0u32 else 0xa2f9836eu32)
        else (if i == 2i32 then 0x4e441529u32 else 0xfc2757d1u32))
  else (if i < 6i32
        then (if i == 4i32 then 0xf534ddc0u32 else 0xdb629599u32)
        else (if i == 6i32 then 0x3c439041u32 else 0xfe5163abu32))

-- | Reduces `0 <= a < 4096`: `(q, r, low)` with `a = q pi/2 + r + low` and `|r| <= pi/4`, to 2^-48.
-- Cody & Waite with `pi/2` in four parts, 12 bits each but the last: with `q < 2^12` three products
-- are exact. So are the first two differences; the error of the third is recovered (Fast2Sum) and
-- joins the fourth product.
def pio2_near_f32 (a: f32) : (i32, f32, f32) =
  let t = f32.fma a 0.636619747f32 12582912f32
  let n = t - 12582912f32
  let b = f32.fma n (-4.83751297e-04f32) (f32.fma n (-1.5703125f32) a)
  let w = n * 7.54953362e-08f32
  let c = b - w
  let rest = f32.fma n (-2.56334407e-12f32) ((b - c) - w)
  let r = c + rest
  in (i32.u32 (f32.to_bits t & 3u32), r, (c - r) + rest)

-- | The same for any `a >= 4096`, NaN for infinity and NaN (Payne & Hanek 1983, in integers). `a =
-- m 2^e` with a 24-bit integer `m`. Bits of `2/pi` whose product with `a` is a multiple of 4 are
-- skipped; the next 96 bits times `m`, modulo 2^96, are `a 2/pi` modulo 4 with 94 fractional bits,
-- of which 62 are kept. The fraction, made signed, times `pi/2` is cut into three pieces of at most
-- 24 bits, which convert exactly.
def pio2_far_f32 (a: f32) : (i32, f32, f32) =
  let bits = f32.to_bits a
  let m = u64.u32 ((bits & 0x007fffffu32) | 0x00800000u32)
  let p = i32.u32 (bits >> 23u32) - 120i32
  let i = p >> 5i32
  let shift = u64.i32 (p & 31i32)
  let w0 = u64.u32 (two_over_pi_word_f32 i)
  let w1 = u64.u32 (two_over_pi_word_f32 (i + 1i32))
  let w2 = u64.u32 (two_over_pi_word_f32 (i + 2i32))
  let w3 = u64.u32 (two_over_pi_word_f32 (i + 3i32))
  let v0 = (((w0 << 32u64) | w1) << shift) >> 32u64
  let v1 = (((w1 << 32u64) | w2) << shift) >> 32u64
  let v2 = (((w2 << 32u64) | w3) << shift) >> 32u64
  let turns = ((v0 * m) << 32u64) + v1 * m + ((v2 * m) >> 32u64)
  let quadrant = (turns + 0x2000000000000000u64) >> 62u64
  let fraction = turns - (quadrant << 62u64)
  let negative = (fraction >> 63u64) != 0u64
  let size = if negative then 0u64 - fraction else fraction
  -- size 2^-62 times pi/2, the high half of a 128-bit product without its lowest partial product
  let s1 = size >> 32u64
  let s0 = size & 0xffffffffu64
  let z = s1 * 0xc90fdaa2u64 + ((s1 * 0x2168c234u64) >> 32u64) + ((s0 * 0xc90fdaa2u64) >> 32u64)
  let z2 = f32.i32 (i32.u64 (z >> 37u64)) * 5.96046448e-08f32
  let z1 = f32.i32 (i32.u64 ((z >> 13u64) & 0xffffffu64)) * 3.55271368e-15f32
  let z0 = f32.i32 (i32.u64 (z & 0x1fffu64)) * 4.33680869e-19f32
  let c = z2 + z1
  let rest = ((z2 - c) + z1) + z0
  let r = c + rest
  let low = (c - r) + rest
  let finite = a < f32.from_bits 0x7f800000u32
  in ( i32.u64 (quadrant & 3u64)
     , if finite then (if negative then -r else r) else f32.from_bits 0x7fc00000u32
     , if negative then -low else low
     )

-- | Argument reduction for `a >= 0`: `(q, r, low)` with `a = q pi/2 + r + low` modulo `2 pi`, `|r|
-- <= pi/4`.
def pio2_f32 (a: f32) : (i32, f32, f32) =
  if a < 4096f32 then pio2_near_f32 a else pio2_far_f32 a

-- | `sin (q pi/2 + r + low)` for `|r| <= pi/4`, where `low` is below half an ulp of `r`. `sin r = r
-- - r^3 S(r^2)` and `cos r = 1 - r^2/2 + r^4 C(r^2)`, where `1 - r^2/2` is a Fast2Sum; `low` enters
-- to first order. The quadrant picks one of them and the sign.
def sin_quadrant_f32 (q: i32) (r: f32) (low: f32) : f32 =
  let z = r * r
  let sp = poly2_f32 z 0.166666538f32 (-0.00833211467f32) 1.95096247e-04f32
  let s = r + f32.fma (-(r * z)) sp low
  let cp = poly2_f32 z 0.0416666456f32 (-0.00138873048f32) 2.44314251e-05f32
  let h = 0.5f32 * z
  let w = 1f32 - h
  let c = w + (((1f32 - w) - h) + f32.fma (z * z) cp (-(r * low)))
  let y = if (q & 1i32) == 0i32 then s else c
  in if (q & 2i32) == 0i32 then y else -y

-- | The sine. Maximum error 0.909 ulp. Of `|x|`, so that the cosine of the same angle has all but
-- the quadrant in common with it. For a small `x` it is `x`, with the sign of zeros and however
-- tiny.
def sin_f32 (x: f32) : f32 =
  let a = f32.abs x
  let (q, r, low) = pio2_f32 a
  let y = sin_quadrant_f32 q r low
  in if a < 2.4414062e-4f32 then x else if x < 0f32 then -y else y

-- | The cosine: the sine one quadrant further. Maximum error 0.912 ulp.
def cos_f32 (x: f32) : f32 =
  let (q, r, low) = pio2_f32 (f32.abs x)
  in sin_quadrant_f32 (q + 1i32) r low
