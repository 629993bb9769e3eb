-- Elementary functions on f64: exp, log, sin, cos.
--
-- As in `math_f32.fut`: only operations that all engines round alike (+ - * on f64, comparisons,
-- integer arithmetic, bit casts, exact conversions), hence the same bits everywhere; no division,
-- no fused multiply-add, and choices on the common path that compile to selects. GLSL has none of
-- these functions for doubles, so f64 programs run on the GPU at all through them.
-- Polynomials are minimax fits with f64 coefficients (Sollya's fpminimax; Brisebarre, Chevillard
-- 2007). Errors are maxima over 4 * 10^8 arguments per function, random ones from every range and
-- those nearest to the multiples of `pi/2`, in units in the last place of the exact result.
-- Literature: Cody, Waite, Software Manual for the Elementary Functions, 1980; Muller et al.,
-- Handbook of Floating-Point Arithmetic, 2nd ed. 2018, chapters 10 and 11.

-- | `2^k` for `-1022 <= k <= 1023`, put together from its bits.
def pow2_f64 (k: i32) : f64 =
  f64.from_bits (u64.i32 (k + 1023i32) << 52u64)

-- | The exponential function. Maximum error found: 0.78 ulp. Cody & Waite reduction: `x = k ln 2 +
-- r`, `|r| <= ln 2 / 2`. Adding 1.5 * 2^52 rounds to an integer and leaves `k` in the low bits; `ln
-- 2` comes in two parts, the first short enough that `k` times it is exact. `2^k` is applied as two
-- factors, so that overflow and gradual underflow happen in one rounding at the very end. The clamp
-- keeps both factors finite: beyond it the result is infinity or zero. A NaN passes through the
-- arithmetic.
def exp_f64 (x: f64) : f64 =
  let y = if x > 710f64 then 710f64 else if x < -746f64 then -746f64 else x
  let t = y * 1.4426950408889634f64 + 6755399441055744f64
  let n = t - 6755399441055744f64
  let k = i32.u64 (f64.to_bits t)
  let hi = y - n * 0.69314718036912382f64
  let lo = n * 1.9082149292705877e-10f64
  let r = hi - lo
  let p =
    0.50000000000000111f64
    + r
      * (0.16666666666666421f64
         + r
           * (0.041666666666526804f64
              + r
                * (0.0083333333334886378f64
                   + r
                     * (0.0013888888944421397f64
                        + r
                          * (1.9841269519485803e-04f64
                             + r
                               * (2.4801492336061387e-05f64
                                  + r
                                    * (2.7557574526753290e-06f64
                                       + r * (2.7630507131315198e-07f64 + r * 2.5003921758537137e-08f64))))))))
  let s = 1f64 + r
  let d = (1f64 - s) + r + ((hi - r) - lo)
  let k1 = k >> 1i32
  in (s + (d + r * r * p)) * pow2_f64 k1 * pow2_f64 (k - k1)

-- | The natural logarithm. Maximum error found: 0.81 ulp. `x = 2^k (1 + f)` with `1 + f` between
-- `sqrt 0.5` and `sqrt 2`, taken from the bits (subnormal numbers are scaled by 2^54 first). With
-- `s = f / (2 + f)`, `log (1 + f) = 2 artanh s = f - f^2/2 + s (f^2/2 + R(s^2))` (Ng, fdlibm 1993).
-- `s` is needed to a few ulps only: a cubic approximation of `1 / (2 + f)` and two Newton steps
-- replace the division. The sums `k ln 2 + (f - f^2/2)` are Fast2Sums (Dekker 1971): their rounding
-- errors join the small terms, and only the last addition rounds.
def log_f64 (x: f64) : f64 =
  let tiny = x < 2.2250738585072014e-308f64
  let bits = f64.to_bits (if tiny then x * 18014398509481984f64 else x) + 0x00095f619980c433u64
  let k = i32.u64 (bits >> 52u64) - (if tiny then 1077i32 else 1023i32)
  let f = f64.from_bits ((bits & 0x000fffffffffffffu64) + 0x3fe6a09e667f3bcdu64) - 1f64
  let n = f64.i32 k
  let d = 2f64 + f
  let i0 =
    0.49995695656901107f64
    - f
      * (0.25038620217043495f64
         - f * (0.12813334799763765f64 - f * 0.057135032256181545f64))
  let i1 = i0 + i0 * (1f64 - d * i0)
  let i2 = i1 + i1 * (1f64 - d * i1)
  let s = f * i2
  let z = s * s
  let p =
    z
    * (0.66666666666667340f64
       + z
         * (0.39999999999417041f64
            + z
              * (0.28571428741896376f64
                 + z
                   * (0.22222198620954620f64
                      + z
                        * (0.18183561955376332f64
                           + z
                             * (0.15314108762022499f64
                                + z * 0.14795388757440570f64))))))
  let h = 0.5f64 * (f * f)
  let a = f - h
  let a_low = (f - a) - h
  let b = n * 0.69314718036912382f64
  let c = b + a
  let c_low = (b - c) + a
  let y = c + (c_low + (a_low + (n * 1.9082149292705877e-10f64 + s * (h + p))))
  let infinity = f64.from_bits 0x7ff0000000000000u64
  in if x < infinity
     then (if x > 0f64
           then y
           else if x == 0f64
           then -infinity
           else f64.from_bits 0x7ff8000000000000u64)
     else x

-- | The high half of the 128-bit product, in 32-bit digits.
def product_high_u64 (a: u64) (b: u64) : u64 =
  let a1 = a >> 32u64
  let a0 = a & 0xffffffffu64
  let b1 = b >> 32u64
  let b0 = b & 0xffffffffu64
  let m = a1 * b0 + ((a0 * b0) >> 32u64)
  let n = a0 * b1 + (m & 0xffffffffu64)
  in a1 * b1 + (m >> 32u64) + (n >> 32u64)

-- | Word `i` (0 to 19) of the bits of `2/pi`, after 64 zero bits: the table
-- of `pio2_far_f64`.
def two_over_pi_word_f64 (i: i32) : u64 =
  if i < 5i32
  then (if i == 0i32
        then 0u64
        else if i == 1i32
        then 0xa2f9836e4e441529u64
        else if i == 2i32
        then 0xfc2757d1f534ddc0u64
        else if i == 3i32
        then 0xdb6295993c439041u64
        else 0xfe5163abdebbc561u64)
  else if i < 10i32
  then (if i == 5i32
        then 0xb7246e3a424dd2e0u64
        else if i == 6i32
        then 0x06492eea09d1921cu64
        else if i == 7i32
        then 0xfe1deb1cb129a73eu64
        else if i == 8i32
        then 0xe88235f52ebb4484u64
        else 0xe99c7026b45f7e41u64)
  else if i < 15i32
  then (if i == 10i32
        then 0x3991d639835339f4u64
        else if i == 11i32
        then 0x9c845f8bbdf9283bu64
        else if i == 12i32
        then 0x1ff897ffde05980fu64
        else if i == 13i32
        then 0xef2f118b5a0a6d1fu64
        else 0x6d367ecf27cb09b7u64)
  else (if i == 15i32
        then 0x4f463f669e5fea2du64
        else if i == 16i32
        then 0x7527bac7ebe5f17bu64
        else if i == 17i32
        then 0x3d0739f78a5292eau64
        else if i == 18i32
        then 0x6bfb5fb11f8d5d08u64
        else 0x56033046fc7b6babu64)

-- | Reduces `0 <= a < 2^20`: `(q, r, low)` with `a = q pi/2 + r + low` and `|r| <= pi/4`, to
-- 2^-130. Cody & Waite with `pi/2` in four parts, 33 bits each but the last: with `q < 2^20` three
-- products are exact. So is the first difference; the errors of the next two are recovered
-- (Fast2Sum) and join the fourth product.
def pio2_near_f64 (a: f64) : (i32, f64, f64) =
  let t = a * 0.63661977236758138f64 + 6755399441055744f64
  let n = t - 6755399441055744f64
  let b = a - n * 1.5707963267341256f64
  let v = n * 6.0771005063039660e-11f64
  let c = b - v
  let w = n * 2.0222662487111665e-21f64
  let d = c - w
  let rest = (((b - c) - v) + ((c - d) - w)) - n * 8.4784276603688996e-32f64
  let r = d + rest
  in (i32.u64 (f64.to_bits t & 3u64), r, (d - r) + rest)

-- | The same for any `a >= 2^20`, NaN for infinity and NaN (Payne & Hanek 1983, in integers). `a =
-- m 2^e` with a 53-bit integer `m`. Bits of `2/pi` whose product with `a` is a multiple of 4 are
-- skipped; the next 192 bits times `m`, modulo 2^192, are `a 2/pi` modulo 4 with 190 fractional
-- bits, of which 126 are kept (no double is nearer to a multiple of `pi/2` than 2^-61). The
-- fraction, made signed, times `pi/2` is cut into four pieces of 32 bits, which convert exactly.
def pio2_far_f64 (a: f64) : (i32, f64, f64) =
  let bits = f64.to_bits a
  let m = (bits & 0x000fffffffffffffu64) | 0x0010000000000000u64
  let p = i32.u64 (bits >> 52u64) - 1013i32
  let i = p >> 6i32
  let shift = u64.i32 (p & 63i32)
  let w0 = two_over_pi_word_f64 i
  let w1 = two_over_pi_word_f64 (i + 1i32)
  let w2 = two_over_pi_word_f64 (i + 2i32)
  let w3 = two_over_pi_word_f64 (i + 3i32)
  let v0 = (w0 << shift) | ((w1 >> 1u64) >> (63u64 - shift))
  let v1 = (w1 << shift) | ((w2 >> 1u64) >> (63u64 - shift))
  let v2 = (w2 << shift) | ((w3 >> 1u64) >> (63u64 - shift))
  let low_turns = v1 * m + product_high_u64 v2 m
  let carry = if low_turns < v1 * m then 1u64 else 0u64
  let turns = v0 * m + product_high_u64 v1 m + carry
  let quadrant = (turns + 0x2000000000000000u64) >> 62u64
  let fraction = turns - (quadrant << 62u64)
  let negative = (fraction >> 63u64) != 0u64
  let borrow = if low_turns == 0u64 then 0u64 else 1u64
  let s0 = if negative then 0u64 - low_turns else low_turns
  let s1 = if negative then 0u64 - fraction - borrow else fraction
  -- (s1, s0) 2^-126 times pi/2: the high 128 bits (z1, z0), without the lowest partial product
  let y0 = s1 * 0xc90fdaa22168c234u64
  let y1 = y0 + product_high_u64 s1 0xc4c6628b80dc1cd1u64
  let z0 = y1 + product_high_u64 s0 0xc90fdaa22168c234u64
  let z1 =
    product_high_u64 s1 0xc90fdaa22168c234u64
    + (if y1 < y0 then 1u64 else 0u64)
    + (if z0 < y1 then 1u64 else 0u64)
  let b = f64.u32 (u32.u64 (z1 >> 32u64)) * 1.8626451492309570e-09f64
  let c = f64.u32 (u32.u64 (z1 & 0xffffffffu64)) * 4.3368086899420177e-19f64
  let d = f64.u32 (u32.u64 (z0 >> 32u64)) * 1.0097419586828951e-28f64
  let e = f64.u32 (u32.u64 (z0 & 0xffffffffu64)) * 2.3509887016445750e-38f64
  let f = b + c
  let rest = ((b - f) + c) + (d + e)
  let r = f + rest
  let low = (f - r) + rest
  let finite = a < f64.from_bits 0x7ff0000000000000u64
  in ( i32.u64 (quadrant & 3u64)
     , if finite then (if negative then -r else r) else f64.from_bits 0x7ff8000000000000u64
     , if negative then -low else low
     )

-- | Argument reduction for `a >= 0`: `(q, r, low)` with `a = q pi/2 + r + low` modulo `2 pi`, `|r|
-- <= pi/4`.
def pio2_f64 (a: f64) : (i32, f64, f64) =
  if a < 1048576f64 then pio2_near_f64 a else pio2_far_f64 a

-- | `sin (q pi/2 + r + low)` for `|r| <= pi/4`, where `low` is below half an ulp of `r`. `sin r = r
-- - r^3 S(r^2)` and `cos r = 1 - r^2/2 + r^4 C(r^2)`, where `1 - r^2/2` is a Fast2Sum; `low` enters
-- to first order. The quadrant picks one of them and the sign.
def sin_quadrant_f64 (q: i32) (r: f64) (low: f64) : f64 =
  let z = r * r
  let sp =
    0.16666666666666630f64
    - z
      * (0.0083333333333217522f64
         - z
           * (1.9841269829245947e-04f64
              - z
                * (2.7557313489545218e-06f64
                   - z * (2.5050725562053942e-08f64 - z * 1.5894868404638619e-10f64))))
  let s = r + (low - r * z * sp)
  let cp =
    0.041666666666666588f64
    - z
      * (0.0013888888888872197f64
         - z
           * (2.4801587288306916e-05f64
              - z
                * (2.7557314019482852e-07f64
                   - z * (2.0875678787503086e-09f64 - z * 1.1357377726770170e-11f64))))
  let h = 0.5f64 * z
  let w = 1f64 - h
  let c = w + (((1f64 - w) - h) + (z * z * cp - r * low))
  let y = if (q & 1i32) == 0i32 then s else c
  in if (q & 2i32) == 0i32 then y else -y

-- | The sine. Maximum error found: 0.91 ulp. Of `|x|`, as the cosine; the sign is put on the
-- result, which keeps `sin (-0) = -0`.
def sin_f64 (x: f64) : f64 =
  let sign = f64.to_bits x & 0x8000000000000000u64
  let (q, r, low) = pio2_f64 (f64.abs x)
  in f64.from_bits (f64.to_bits (sin_quadrant_f64 q r low) ^ sign)

-- | The cosine: the sine one quadrant further. Maximum error found: 0.91 ulp.
def cos_f64 (x: f64) : f64 =
  let (q, r, low) = pio2_f64 (f64.abs x)
  in sin_quadrant_f64 (q + 1i32) r low
