-- Tangent, the inverse trigonometric functions, and all of them in half turns, on f64.

-- | Sine and cosine of `r + low`, `|r| <= pi/4`, as pairs. As in `sin_quadrant_f64`, but `r^2`,
-- `r^2 / 2` and `r^3 / 6` are pairs.
def sin_cos_pair_f64 (r: f64) (low: f64) : ((f64, f64), (f64, f64)) =
  let (z, zl) = two_product_f64 r r
  let u = pair_product_f64 (r, 0f64) (z, zl)
  let (v, vl) = pair_product_f64 u (0.16666666666666666f64, 9.25185853854297e-18f64)
  let sp =
    (0.00833333333333333f64
     - z
       * (0.00019841269841261664f64
          - z
            * (2.7557319217128322e-6f64
               - z
                 * (2.505210558442196e-8f64
                    - z * (1.6058443346342902e-10f64 - z * 7.582148867081879e-13f64)))))
  let (s0, e) = fast_sum_f64 r (-v)
  let s = fast_sum_f64 s0 (e + (low + (u.0 * z * sp - vl)))
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
  let c = fast_sum_f64 w (((1f64 - w) - h) + (z * z * cp - (r * low + 0.5f64 * zl)))
  in (s, c)

-- | `tan (q pi/2 + r + low)`.
def tan_quadrant_f64 (q: i32) (r: f64) (low: f64) : f64 =
  let (s, c) = sin_cos_pair_f64 r low
  let odd = (q & 1i32) != 0i32
  let (h, l) = pair_quotient_f64 (if odd then c else s) (if odd then s else c)
  in if odd then -(h + l) else h + l

-- | The number with the sign bit of `bits` flipped into it.
def flip_sign_f64 (bits: u64) (y: f64) : f64 =
  f64.from_bits (f64.to_bits y ^ (bits & 0x8000000000000000u64))

-- | The tangent of an angle in radians.
def tan_f64 (x: f64) : f64 =
  let (q, r, low) = pio2_f64 (f64.abs x)
  let y = tan_quadrant_f64 q r low
  in if f64.abs x < 3.725290298461914e-9f64 then x else flip_sign_f64 (f64.to_bits x) y

-- | `atan (n / d)` as a pair for pairs `n >= 0` and `d > 0`, where their quotient can be formed. It
-- is taken from the nearest of 0, `pi/4` and `pi/2`: a rotation of `(d, n)` by that angle leaves a
-- quotient of at most `tan (pi/8)`.
def atan_pair_f64 (n: f64) (d: f64) : (f64, f64) =
  let near = n <= 0.41421357f64 * d
  let middle = !near && n < 2.4142135f64 * d
  let dn = two_sum_f64 n (-d)
  let sn = two_sum_f64 n d
  let num = if near then (n, 0f64) else if middle then dn else (-d, 0f64)
  let den = if near then (d, 0f64) else if middle then sn else (n, 0f64)
  let base =
    if near
    then (0f64, 0f64)
    else if middle
    then (0.7853981633974483f64, 3.061616997868383e-17f64)
    else (1.5707963267948966f64, 6.123233995736766e-17f64)
  let (q, ql) = pair_quotient_f64 num den
  let z = q * q
  let p =
    (-0.33333333333333326f64
     + z
       * (0.19999999999997262f64
          - z
            * (0.14285714285348478f64
               - z
                 * (0.11111111086172135f64
                    - z
                      * (0.09090908083615719f64
                         - z
                           * (0.07692281571795014f64
                              - z
                                * (0.06666211389893952f64
                                   - z
                                     * (0.05876888074895933f64
                                        - z
                                          * (0.05217631289167489f64
                                             - z
                                               * (0.04500701625169457f64
                                                  - z
                                                    * (0.033413964246180906f64
                                                       - z * 0.015138759018562764f64)))))))))))
  let (s, e) = fast_sum_f64 base.0 q
  in fast_sum_f64 s (e + (base.1 + (ql + q * z * p)))

-- | The angle with a tangent, between `-pi/2` and `pi/2`.
def atan_f64 (x: f64) : f64 =
  let a = f64.abs x
  let (h, l) =
    atan_pair_f64 (if a < 1.152921504606847e18f64
                   then a
                   else 1.152921504606847e18f64)
                  1f64
  in if f64.isnan x || a < 3.725290298461914e-9f64 then x else flip_sign_f64 (f64.to_bits x) (h + l)

-- | `atan` in half turns.
def atanpi_f64 (x: f64) : f64 =
  let a = f64.abs x
  let t = atan_pair_f64 (if a < 1.152921504606847e18f64 then a else 1.152921504606847e18f64) 1f64
  let (h, l) = pair_product_f64 t (0.3183098861837907f64, -1.9678676675182486e-17f64)
  let y =
    if a < 3.725290298461914e-9f64
    then times_pair_f64 a
                        (0.3183098861837907f64, -1.9678676675182486e-17f64)
    else h + l
  in if f64.isnan x then x else flip_sign_f64 (f64.to_bits x) y

-- | Scales two magnitudes, of which `b` is the greater, alike, so that products with `b` stay in
-- range.
def scale_both_f64 (a: f64) (b: f64) : (f64, f64) =
  let up =
    if b > 3.273390607896142e150f64
    then 2.778448436856347e-163f64
    else if b < 3.4395525670743494e-136f64 then 4.149515568880993e180f64 else 1f64
  in (a * up, b * up)

-- | The angle of the point `(x, y)` for finite coordinates, not both 0, as a pair between 0 and
-- `pi`; not for `y / x` tiny.
def atan2_pair_f64 (y: f64) (x: f64) : (f64, f64) =
  let ay = f64.abs y
  let ax = f64.abs x
  let (a, b) = scale_both_f64 (if ay > ax then ax else ay) (if ay > ax then ay else ax)
  let (h, l) = atan_pair_f64 (if ay > ax then b else a) (if ay > ax then a else b)
  in if x < 0f64
     then pair_sum_f64 (3.141592653589793f64, 1.2246467991473532e-16f64)
                       (-h, -l)
     else (h, l)

-- | The replacement of infinite coordinates in `atan2`: 1, and 0 for a finite one beside it.
def atan2_ends_f64 (y: f64) (x: f64) : (f64, f64) =
  let infinity = f64.from_bits 0x7ff0000000000000u64
  let any = f64.isinf x || f64.isinf y
  let end v = if f64.abs v == infinity then 1f64 else 0f64
  in if any then (end y, flip_sign_f64 (f64.to_bits x) (end x)) else (f64.abs y, x)

-- | The angle of the point `(x, y)`, between `-pi` and `pi`.
def atan2_f64 (y: f64) (x: f64) : f64 =
  let (ay, bx) = atan2_ends_f64 y x
  let left = f64.to_bits x >> 63u64 != 0u64
  let on_axis = ay == 0f64
  let (h, l) = atan2_pair_f64 (if on_axis then 1f64 else ay) bx
  let tiny = !left && ay < 9.313225746154785e-10f64 * bx
  let r =
    if on_axis
    then (if left then 3.141592653589793f64 else 0f64)
    else if tiny
    then ay / bx
    else h + l
  in if f64.isnan x || f64.isnan y then x + y else flip_sign_f64 (f64.to_bits y) r

-- | `a / (b pi)` where that is tiny: subnormal and huge numbers are scaled first.
def tiny_quotient_pi_f64 (a: f64) (b: f64) : f64 =
  let a_small = a < 3.4395525670743494e-136f64
  let b_small = b < 3.4395525670743494e-136f64
  let b_huge = b > 3.273390607896142e150f64
  let a1 = if a_small then a * 4.149515568880993e180f64 else a
  let b1 =
    if b_small
    then b * 4.149515568880993e180f64
    else if b_huge then b * 2.778448436856347e-163f64 else b
  let (h, l) =
    pair_product_f64 (pair_quotient_f64 (a1, 0f64) (b1, 0f64))
                     (0.3183098861837907f64, -1.9678676675182486e-17f64)
  let r = if a_small && !b_small then (h + l) * 2.409919865102884e-181f64 else h + l
  in if b_huge then r * 2.778448436856347e-163f64 else r

-- | `atan2` in half turns.
def atan2pi_f64 (y: f64) (x: f64) : f64 =
  let (ay, bx) = atan2_ends_f64 y x
  let left = f64.to_bits x >> 63u64 != 0u64
  let on_axis = ay == 0f64
  let t = atan2_pair_f64 (if on_axis then 1f64 else ay) bx
  let inv = (0.3183098861837907f64, -1.9678676675182486e-17f64)
  let (h, l) = pair_product_f64 t inv
  let tiny = !left && ay < 9.313225746154785e-10f64 * bx
  let r =
    if on_axis
    then (if left then 1f64 else 0f64)
    else if tiny
    then tiny_quotient_pi_f64 ay bx
    else h + l
  in if f64.isnan x || f64.isnan y then x + y else flip_sign_f64 (f64.to_bits y) r

-- | The angle of which this is the sine, as a pair, for `0 <= a <= 1`: the odd polynomial up to
-- 0.5, beyond it `pi/2 - 2 asin (sqrt ((1 - a) / 2))`.
def asin_pair_f64 (a: f64) : (f64, f64) =
  let low = a <= 0.5f64
  let half = 0.5f64 * (1f64 - a)
  let (t, tl) =
    if low || half == 0f64
    then (if low then a else 0f64, 0f64)
    else pair_sqrt_f64 (half, 0f64)
  let z = if low then a * a else half
  let p =
    (0.16666666666665408f64
     + z
       * (0.07500000000337102f64
          + z
            * (0.04464285682827013f64
               + z
                 * (0.030381959138981125f64
                    + z
                      * (0.022371758008737835f64
                         + z
                           * (0.01735970531637236f64
                              + z
                                * (0.013885230602039715f64
                                   + z
                                     * (0.012169240344520724f64
                                        + z
                                          * (0.006527862707984047f64
                                             + z
                                               * (0.019528546896388492f64
                                                  - z
                                                    * (0.016224660166076297f64
                                                       - z * 0.03191252891780875f64)))))))))))
  let (h, l) = fast_sum_f64 t (tl + t * z * p)
  in if low
     then (h, l)
     else pair_sum_f64 (1.5707963267948966f64, 6.123233995736766e-17f64) (-2f64 * h, -2f64 * l)

-- | The angle of which this is the cosine, as a pair, for `-1 <= x <= 1`.
def acos_pair_f64 (x: f64) : (f64, f64) =
  let a = f64.abs x
  let low = a <= 0.5f64
  let half = 0.5f64 * (1f64 - a)
  let (t, tl) =
    if low || half == 0f64
    then (if low then a else 0f64, 0f64)
    else pair_sqrt_f64 (half, 0f64)
  let z = if low then a * a else half
  let p =
    (0.16666666666665408f64
     + z
       * (0.07500000000337102f64
          + z
            * (0.04464285682827013f64
               + z
                 * (0.030381959138981125f64
                    + z
                      * (0.022371758008737835f64
                         + z
                           * (0.01735970531637236f64
                              + z
                                * (0.013885230602039715f64
                                   + z
                                     * (0.012169240344520724f64
                                        + z
                                          * (0.006527862707984047f64
                                             + z
                                               * (0.019528546896388492f64
                                                  - z
                                                    * (0.016224660166076297f64
                                                       - z * 0.03191252891780875f64)))))))))))
  let (h, l) = fast_sum_f64 t (tl + t * z * p)
  let turned = if low then (if x < 0f64 then (h, l) else (-h, -l)) else (-2f64 * h, -2f64 * l)
  let base =
    if low
    then (1.5707963267948966f64, 6.123233995736766e-17f64)
    else (3.141592653589793f64, 1.2246467991473532e-16f64)
  in if low || x < 0f64 then pair_sum_f64 base turned else (2f64 * h, 2f64 * l)

-- | The angle with a sine, between `-pi/2` and `pi/2`.
def asin_f64 (x: f64) : f64 =
  let a = f64.abs x
  let (h, l) = asin_pair_f64 (if a < 1f64 then a else 1f64)
  in if a <= 1f64
     then (if a < 3.725290298461914e-9f64
           then x
           else flip_sign_f64 (f64.to_bits x) (h + l))
     else f64.from_bits 0x7ff8000000000000u64

-- | `asin` in half turns.
def asinpi_f64 (x: f64) : f64 =
  let a = f64.abs x
  let inv = (0.3183098861837907f64, -1.9678676675182486e-17f64)
  let (h, l) = pair_product_f64 (asin_pair_f64 (if a < 1f64 then a else 1f64)) inv
  let y = if a < 3.725290298461914e-9f64 then times_pair_f64 a inv else h + l
  in if a <= 1f64 then flip_sign_f64 (f64.to_bits x) y else f64.from_bits 0x7ff8000000000000u64

-- | The angle with a cosine, between 0 and `pi`.
def acos_f64 (x: f64) : f64 =
  let ok = f64.abs x <= 1f64
  let (h, l) = acos_pair_f64 (if ok then x else 1f64)
  in if ok then h + l else f64.from_bits 0x7ff8000000000000u64

-- | `acos` in half turns.
def acospi_f64 (x: f64) : f64 =
  let ok = f64.abs x <= 1f64
  let (h, l) =
    pair_product_f64 (acos_pair_f64 (if ok
                                     then x
                                     else 1f64))
                     (0.3183098861837907f64, -1.9678676675182486e-17f64)
  in if ok then h + l else f64.from_bits 0x7ff8000000000000u64

-- | `(q, r, low)` with `a = q/2 + r` exactly and `pi r = r' + low`: `a >= 0` in half turns reduced
-- to quadrants. NaN for infinity and NaN.
def quadrant_pi_f64 (a: f64) : (i32, f64, f64) =
  let b = if a < 9007199254740992f64 then a else 0f64
  let n = f64.round (b + b)
  let r = (b - 0.5f64 * n) + (if a < f64.from_bits 0x7ff0000000000000u64 then 0f64 else a - a)
  let (h, l) = pair_product_f64 (r, 0f64) (3.141592653589793f64, 1.2246467991473532e-16f64)
  in (i32.i64 (i64.f64 n & 3i64), h, l)

-- | The sine of an angle in half turns.
def sinpi_f64 (x: f64) : f64 =
  let a = f64.abs x
  let (q, r, low) = quadrant_pi_f64 a
  let y = if r == 0f64 && (q & 1i32) == 0i32 then 0f64 else sin_quadrant_f64 q r low
  let z =
    if a < 3.725290298461914e-9f64
    then times_pair_f64 a
                        (3.141592653589793f64, 1.2246467991473532e-16f64)
    else y
  in flip_sign_f64 (f64.to_bits x) z

-- | The cosine of an angle in half turns.
def cospi_f64 (x: f64) : f64 =
  let (q, r, low) = quadrant_pi_f64 (f64.abs x)
  in if r == 0f64 && (q & 1i32) != 0i32 then 0f64 else sin_quadrant_f64 (q + 1i32) r low

-- | The tangent of an angle in half turns.
def tanpi_f64 (x: f64) : f64 =
  let a = f64.abs x
  let infinity = f64.from_bits 0x7ff0000000000000u64
  let (q, r, low) = quadrant_pi_f64 a
  let at_zero =
    if q == 0i32
    then 0f64
    else if q == 1i32
    then infinity
    else if q == 2i32 then -0f64 else -infinity
  let y = if r == 0f64 then at_zero else tan_quadrant_f64 q r low
  let z =
    if a < 3.725290298461914e-9f64
    then times_pair_f64 a
                        (3.141592653589793f64, 1.2246467991473532e-16f64)
    else y
  in flip_sign_f64 (f64.to_bits x) z
