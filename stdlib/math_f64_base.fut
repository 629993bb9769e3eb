-- Common parts of the elementary functions on f64: arithmetic on pairs, whose unevaluated sum
-- `high + low` has about twice the precision, and logarithm and exponential function on pairs.
--
-- A pair is a number and a correction below half a unit in its last place. The basic operations are
-- those of Knuth and Dekker; products are split into halves, because nothing here may be contracted
-- into a fused multiply-add. Literature: Dekker, A floating-point technique for extending the
-- available precision, 1971; Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed. 2018.

-- | A sum as a pair, exactly.
def two_sum_f64 (a: f64) (b: f64) : (f64, f64) =
  let s = a + b
  let t = s - a
  in (s, (a - (s - t)) + (b - t))

-- | As `two_sum_f64`, for `a = 0` or `|a| >= |b|`.
def fast_sum_f64 (a: f64) (b: f64) : (f64, f64) =
  let s = a + b
  in (s, b - (s - a))

-- | A product as a pair: the factors are cut into halves whose products are exact.
def two_product_f64 (a: f64) (b: f64) : (f64, f64) =
  let ah = f64.from_bits (f64.to_bits a & 0xfffffffff8000000u64)
  let al = a - ah
  let bh = f64.from_bits (f64.to_bits b & 0xfffffffff8000000u64)
  let bl = b - bh
  let p = a * b
  in (p, (((ah * bh - p) + ah * bl) + al * bh) + al * bl)

-- | The sum of two pairs.
def pair_sum_f64 ((ah, al): (f64, f64)) ((bh, bl): (f64, f64)) : (f64, f64) =
  let (s, e) = two_sum_f64 ah bh
  in fast_sum_f64 s (e + (al + bl))

-- | The product of two pairs.
def pair_product_f64 ((ah, al): (f64, f64)) ((bh, bl): (f64, f64)) : (f64, f64) =
  let (p, e) = two_product_f64 ah bh
  in fast_sum_f64 p (e + (ah * bl + al * bh))

-- | The quotient of two pairs.
def pair_quotient_f64 ((ah, al): (f64, f64)) ((bh, bl): (f64, f64)) : (f64, f64) =
  let q = ah / bh
  let (p, e) = two_product_f64 q bh
  in fast_sum_f64 q ((((ah - p) - e) + (al - q * bl)) / bh)

-- | The square root of a pair above 0.
def pair_sqrt_f64 ((ah, al): (f64, f64)) : (f64, f64) =
  let s = f64.sqrt ah
  let (p, e) = two_product_f64 s s
  in fast_sum_f64 s ((((ah - p) - e) + al) / (s + s))

-- | `x` times a constant pair; tiny numbers are scaled, so that their low parts do not vanish.
def times_pair_f64 (x: f64) ((ch, cl): (f64, f64)) : f64 =
  let tiny = f64.abs x < 3.8725919148493183e-121f64
  let y = if tiny then x * 3.273390607896142e150f64 else x
  let (p, e) = two_product_f64 y ch
  let r = p + (e + y * cl)
  in if tiny then r * 3.054936363499605e-151f64 else r

-- | `x * 2^k`, rounded once, for `x` near 1 and `|k| <= 2000`.
def scale_f64 (k: i32) (x: f64) : f64 =
  let k1 = k >> 1i32
  in x * pow2_f64 k1 * pow2_f64 (k - k1)

-- | `(n, f)` with `x = 2^n (1 + f)` and `1 + f` between `sqrt 0.5` and `sqrt 2`, for finite `x >
-- 0`.
def log_split_f64 (x: f64) : (f64, f64) =
  let tiny = x < 2.2250738585072014e-308f64
  let bits = f64.to_bits (if tiny then x * 18014398509481984f64 else x) + 0x00095f619980c433u64
  let k = i32.u64 (bits >> 52u64) - (if tiny then 1077i32 else 1023i32)
  in (f64.i32 k, f64.from_bits ((bits & 0x000fffffffffffffu64) + 0x3fe6a09e667f3bcdu64) - 1f64)

-- | `log (1 + f)` for a pair between `sqrt 0.5 - 1` and `sqrt 2 - 1`, relative error 2^-65: with
-- `s = f / (2 + f)` it is `2 artanh s = s (2 + s^2 (2/3 + ..))`.
def log1_pair_f64 ((fh, fl): (f64, f64)) : (f64, f64) =
  let (d, e) = fast_sum_f64 2f64 fh
  let s = pair_quotient_f64 (fh, fl) (d, e + fl)
  let z = pair_product_f64 s s
  let p =
    z.0
    * (0.39999999999999997f64
       + z.0
         * (0.2857142857143301f64
            + z.0
              * (0.22222222220399443f64
                 + z.0
                   * (0.18181818529947055f64
                      + z.0
                        * (0.1538457931729551f64
                           + z.0
                             * (0.13335483632948344f64
                                + z.0 * (0.11691152725681564f64 + z.0 * 0.11857726914670921f64)))))))
  let (c, ce) = fast_sum_f64 0.6666666666666666f64 p
  let (v, ve) = pair_product_f64 z (c, ce + 3.700743415417188e-17f64)
  let (w, we) = fast_sum_f64 2f64 v
  in pair_product_f64 s (w, we + ve)

-- | `n ln 2` and the logarithm of the rest together. `n ln 2` is a pair because its constant is cut
-- short enough for an exact product.
def log_sum_f64 (n: f64) ((a, al): (f64, f64)) : (f64, f64) =
  let (s, e) = fast_sum_f64 (n * 0.69314718036912382f64) a
  in fast_sum_f64 s (e + (n * 1.9082149292705877e-10f64 + al))

-- | The natural logarithm of a pair above 0.
def log_pair_f64 ((xh, xl): (f64, f64)) : (f64, f64) =
  let (n, f) = log_split_f64 xh
  let small = if f64.abs n < 100f64 then n else 0f64
  let rest = if f64.abs n < 100f64 then xl * pow2_f64 (-(i32.f64 small)) else 0f64
  in log_sum_f64 n (log1_pair_f64 (two_sum_f64 f rest))

-- | The same of a number: there is no low part to bring to scale.
def log_pair_of_f64 (x: f64) : (f64, f64) =
  let (n, f) = log_split_f64 x
  in log_sum_f64 n (log1_pair_f64 (f, 0f64))

-- | `(k, h, l)` with `exp x = 2^k (h + l)` for a pair within 1000: as `exp_f64`, with the last
-- sum left open.
def exp_pair_f64 ((xh, xl): (f64, f64)) : (i32, f64, f64) =
  let t = xh * 1.4426950408889634f64 + 6755399441055744f64
  let n = t - 6755399441055744f64
  let k = i32.u64 (f64.to_bits t)
  let hi = xh - n * 0.69314718036912382f64
  let lo = n * 1.9082149292705877e-10f64 - xl
  let r = hi - lo
  let rl = (hi - r) - lo
  let p =
    (0.5000000000000011f64
     + r
       * (0.16666666666666421f64
          + r
            * (0.041666666666526804f64
               + r
                 * (0.008333333333488638f64
                    + r
                      * (0.0013888888944421397f64
                         + r
                           * (0.00019841269519485803f64
                              + r
                                * (2.4801492336061387e-5f64
                                   + r
                                     * (2.755757452675329e-6f64
                                        + r
                                          * (2.76305071313152e-7f64
                                             + r * 2.5003921758537137e-8f64)))))))))
  let s = 1f64 + r
  let (h, l) = fast_sum_f64 s (((1f64 - s) + r) + (rl + (r * rl + r * r * p)))
  in (k, h, l)
