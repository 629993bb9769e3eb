-- Tangent, the inverse trigonometric functions, and all of them in half turns, on f32.

-- | Sine and cosine of `r + low`, `|r| <= pi/4`, as pairs. As in `sin_quadrant_f32`, but `r^2`,
-- `r^2 / 2` and `r^3 / 6` are pairs.
def sin_cos_pair_f32 (r: f32) (low: f32) : ((f32, f32), (f32, f32)) =
  let (z, zl) = two_product_f32 r r
  let u = pair_product_f32 (r, 0f32) (z, zl)
  let (v, vl) = pair_product_f32 u (0.16666667f32, -4.967054e-9f32)
  let sp = poly2_f32 z 0.008333332f32 (-0.00019840036f32) 2.7241683e-6f32
  let (s0, e) = fast_sum_f32 r (-v)
  let s = fast_sum_f32 s0 (e + (low + f32.fma (u.0 * z) sp (-vl)))
  let cp = poly3_f32 z 0.041666668f32 (-0.0013888972f32) 2.4818824e-5f32 (-2.8574243e-7f32)
  let h = 0.5f32 * z
  let w = 1f32 - h
  let c = fast_sum_f32 w (((1f32 - w) - h) + f32.fma (z * z) cp (-(f32.fma r low (0.5f32 * zl))))
  in (s, c)

-- | `tan (q pi/2 + r + low)`.
def tan_quadrant_f32 (q: i32) (r: f32) (low: f32) : f32 =
  let (s, c) = sin_cos_pair_f32 r low
  let odd = (q & 1i32) != 0i32
  let (h, l) = pair_quotient_f32 (if odd then c else s) (if odd then s else c)
  in if odd then -(h + l) else h + l

-- | The number with the sign bit of `bits` flipped into it.
def flip_sign_f32 (bits: u32) (y: f32) : f32 =
  f32.from_bits (f32.to_bits y ^ (bits & 0x80000000u32))

-- | The tangent of an angle in radians.
def tan_f32 (x: f32) : f32 =
  let (q, r, low) = pio2_f32 (f32.abs x)
  let y = tan_quadrant_f32 q r low
  in if f32.abs x < 6.1035156e-5f32 then x else flip_sign_f32 (f32.to_bits x) y

-- | `atan (n / d)` as a pair for pairs `n >= 0` and `d > 0`, where their quotient can be formed. It
-- is taken from the nearest of 0, `pi/4` and `pi/2`: a rotation of `(d, n)` by that angle leaves a
-- quotient of at most `tan (pi/8)`.
def atan_pair_f32 (n: f32) (d: f32) : (f32, f32) =
  let near = n <= 0.41421357f32 * d
  let middle = !near && n < 2.4142135f32 * d
  let dn = two_sum_f32 n (-d)
  let sn = two_sum_f32 n d
  let num = if near then (n, 0f32) else if middle then dn else (-d, 0f32)
  let den = if near then (d, 0f32) else if middle then sn else (n, 0f32)
  let base =
    if near
    then (0f32, 0f32)
    else if middle
    then (0.7853982f32, -2.1855694e-8f32)
    else (1.5707964f32, -4.371139e-8f32)
  let (q, ql) = pair_quotient_f32 num den
  let z = q * q
  let p = poly4_f32 z (-0.33333316f32) 0.1999853f32 (-0.1424443f32) 0.10599487f32 (-0.060908936f32)
  let (s, e) = fast_sum_f32 base.0 q
  in fast_sum_f32 s (e + (base.1 + f32.fma (q * z) p ql))

-- | The angle with a tangent, between `-pi/2` and `pi/2`.
def atan_f32 (x: f32) : f32 =
  let a = f32.abs x
  let (h, l) = atan_pair_f32 (if a < 1.1529215e18f32 then a else 1.1529215e18f32) 1f32
  in if f32.isnan x || a < 6.1035156e-5f32 then x else flip_sign_f32 (f32.to_bits x) (h + l)

-- | `atan` in half turns.
def atanpi_f32 (x: f32) : f32 =
  let a = f32.abs x
  let t = atan_pair_f32 (if a < 1.1529215e18f32 then a else 1.1529215e18f32) 1f32
  let (h, l) = pair_product_f32 t (0.31830987f32, 1.28412765e-8f32)
  let y = if a < 6.1035156e-5f32 then times_pair_f32 a (0.31830987f32, 1.28412765e-8f32) else h + l
  in if f32.isnan x then x else flip_sign_f32 (f32.to_bits x) y

-- | Scales two magnitudes, of which `b` is the greater, alike, so that products with `b` stay in
-- range.
def scale_both_f32 (a: f32) (b: f32) : (f32, f32) =
  let up =
    if b > 1.1529215e18f32
    then 1.3552527e-20f32
    else if b < 8.6736174e-19f32 then 1.23794004e27f32 else 1f32
  in (a * up, b * up)

-- | The angle of the point `(x, y)` for finite coordinates, not both 0, as a pair between 0 and
-- `pi`; not for `y / x` tiny.
def atan2_pair_f32 (y: f32) (x: f32) : (f32, f32) =
  let ay = f32.abs y
  let ax = f32.abs x
  let (a, b) = scale_both_f32 (if ay > ax then ax else ay) (if ay > ax then ay else ax)
  let (h, l) = atan_pair_f32 (if ay > ax then b else a) (if ay > ax then a else b)
  in if x < 0f32 then pair_sum_f32 (3.1415927f32, -8.742278e-8f32) (-h, -l) else (h, l)

-- | The replacement of infinite coordinates in `atan2`: 1, and 0 for a finite one beside it.
def atan2_ends_f32 (y: f32) (x: f32) : (f32, f32) =
  let infinity = f32.from_bits 0x7f800000u32
  let any = f32.isinf x || f32.isinf y
  let end v = if f32.abs v == infinity then 1f32 else 0f32
  in if any then (end y, flip_sign_f32 (f32.to_bits x) (end x)) else (f32.abs y, x)

-- | The angle of the point `(x, y)`, between `-pi` and `pi`.
def atan2_f32 (y: f32) (x: f32) : f32 =
  let (ay, bx) = atan2_ends_f32 y x
  let left = f32.to_bits x >> 31u32 != 0u32
  let on_axis = ay == 0f32
  let (h, l) = atan2_pair_f32 (if on_axis then 1f32 else ay) bx
  let tiny = !left && ay < 9.313226e-10f32 * bx
  let r =
    if on_axis
    then (if left then 3.1415927f32 else 0f32)
    else if tiny
    then ay / bx
    else h + l
  in if f32.isnan x || f32.isnan y then x + y else flip_sign_f32 (f32.to_bits y) r

-- | `a / (b pi)` where that is tiny: subnormal and huge numbers are scaled first.
def tiny_quotient_pi_f32 (a: f32) (b: f32) : f32 =
  let a_small = a < 8.6736174e-19f32
  let b_small = b < 8.6736174e-19f32
  let b_huge = b > 1.1529215e18f32
  let a1 = if a_small then a * 1.23794004e27f32 else a
  let b1 = if b_small then b * 1.23794004e27f32 else if b_huge then b * 1.3552527e-20f32 else b
  let (h, l) =
    pair_product_f32 (pair_quotient_f32 (a1, 0f32) (b1, 0f32))
                     (0.31830987f32, 1.28412765e-8f32)
  let r = if a_small && !b_small then (h + l) * 8.077936e-28f32 else h + l
  in if b_huge then r * 1.3552527e-20f32 else r

-- | `atan2` in half turns.
def atan2pi_f32 (y: f32) (x: f32) : f32 =
  let (ay, bx) = atan2_ends_f32 y x
  let left = f32.to_bits x >> 31u32 != 0u32
  let on_axis = ay == 0f32
  let t = atan2_pair_f32 (if on_axis then 1f32 else ay) bx
  let inv = (0.31830987f32, 1.28412765e-8f32)
  let (h, l) = pair_product_f32 t inv
  let tiny = !left && ay < 9.313226e-10f32 * bx
  let r =
    if on_axis
    then (if left then 1f32 else 0f32)
    else if tiny
    then tiny_quotient_pi_f32 ay bx
    else h + l
  in if f32.isnan x || f32.isnan y then x + y else flip_sign_f32 (f32.to_bits y) r

-- | The angle of which this is the sine, as a pair, for `0 <= a <= 1`: the odd polynomial up to
-- 0.5, beyond it `pi/2 - 2 asin (sqrt ((1 - a) / 2))`.
def asin_pair_f32 (a: f32) : (f32, f32) =
  let low = a <= 0.5f32
  let half = 0.5f32 * (1f32 - a)
  let (t, tl) =
    if low || half == 0f32
    then (if low then a else 0f32, 0f32)
    else pair_sqrt_f32 (half, 0f32)
  let z = if low then a * a else half
  let p = poly4_f32 z 0.16666752f32 0.0749531f32 0.04546902f32 0.024185503f32 0.042157013f32
  let (h, l) = fast_sum_f32 t (f32.fma (t * z) p tl)
  in if low
     then (h, l)
     else pair_sum_f32 (1.5707964f32, -4.371139e-8f32) (-2f32 * h, -2f32 * l)

-- | The angle of which this is the cosine, as a pair, for `-1 <= x <= 1`.
def acos_pair_f32 (x: f32) : (f32, f32) =
  let a = f32.abs x
  let low = a <= 0.5f32
  let half = 0.5f32 * (1f32 - a)
  let (t, tl) =
    if low || half == 0f32
    then (if low then a else 0f32, 0f32)
    else pair_sqrt_f32 (half, 0f32)
  let z = if low then a * a else half
  let p = poly4_f32 z 0.16666752f32 0.0749531f32 0.04546902f32 0.024185503f32 0.042157013f32
  let (h, l) = fast_sum_f32 t (f32.fma (t * z) p tl)
  let turned = if low then (if x < 0f32 then (h, l) else (-h, -l)) else (-2f32 * h, -2f32 * l)
  let base = if low then (1.5707964f32, -4.371139e-8f32) else (3.1415927f32, -8.742278e-8f32)
  in if low || x < 0f32 then pair_sum_f32 base turned else (2f32 * h, 2f32 * l)

-- | The angle with a sine, between `-pi/2` and `pi/2`.
def asin_f32 (x: f32) : f32 =
  let a = f32.abs x
  let (h, l) = asin_pair_f32 (if a < 1f32 then a else 1f32)
  in if a <= 1f32
     then (if a < 6.1035156e-5f32 then x else flip_sign_f32 (f32.to_bits x) (h + l))
     else f32.from_bits 0x7fc00000u32

-- | `asin` in half turns.
def asinpi_f32 (x: f32) : f32 =
  let a = f32.abs x
  let inv = (0.31830987f32, 1.28412765e-8f32)
  let (h, l) = pair_product_f32 (asin_pair_f32 (if a < 1f32 then a else 1f32)) inv
  let y = if a < 6.1035156e-5f32 then times_pair_f32 a inv else h + l
  in if a <= 1f32 then flip_sign_f32 (f32.to_bits x) y else f32.from_bits 0x7fc00000u32

-- | The angle with a cosine, between 0 and `pi`.
def acos_f32 (x: f32) : f32 =
  let ok = f32.abs x <= 1f32
  let (h, l) = acos_pair_f32 (if ok then x else 1f32)
  in if ok then h + l else f32.from_bits 0x7fc00000u32

-- | `acos` in half turns.
def acospi_f32 (x: f32) : f32 =
  let ok = f32.abs x <= 1f32
  let (h, l) =
    pair_product_f32 (acos_pair_f32 (if ok
                                     then x
                                     else 1f32))
                     (0.31830987f32, 1.28412765e-8f32)
  in if ok then h + l else f32.from_bits 0x7fc00000u32

-- | `(q, r, low)` with `a = q/2 + r` exactly and `pi r = r' + low`: `a >= 0` in half turns reduced
-- to quadrants. NaN for infinity and NaN.
def quadrant_pi_f32 (a: f32) : (i32, f32, f32) =
  let b = if a < 16777216f32 then a else 0f32
  let n = f32.round (b + b)
  let r = (b - 0.5f32 * n) + (if a < f32.from_bits 0x7f800000u32 then 0f32 else a - a)
  let (h, l) = pair_product_f32 (r, 0f32) (3.1415927f32, -8.742278e-8f32)
  in (i32.i64 (i64.f32 n & 3i64), h, l)

-- | The sine of an angle in half turns.
def sinpi_f32 (x: f32) : f32 =
  let a = f32.abs x
  let (q, r, low) = quadrant_pi_f32 a
  let y = if r == 0f32 && (q & 1i32) == 0i32 then 0f32 else sin_quadrant_f32 q r low
  let z = if a < 6.1035156e-5f32 then times_pair_f32 a (3.1415927f32, -8.742278e-8f32) else y
  in flip_sign_f32 (f32.to_bits x) z

-- | The cosine of an angle in half turns.
def cospi_f32 (x: f32) : f32 =
  let (q, r, low) = quadrant_pi_f32 (f32.abs x)
  in if r == 0f32 && (q & 1i32) != 0i32 then 0f32 else sin_quadrant_f32 (q + 1i32) r low

-- | The tangent of an angle in half turns.
def tanpi_f32 (x: f32) : f32 =
  let a = f32.abs x
  let infinity = f32.from_bits 0x7f800000u32
  let (q, r, low) = quadrant_pi_f32 a
  let at_zero =
    if q == 0i32
    then 0f32
    else if q == 1i32
    then infinity
    else if q == 2i32 then -0f32 else -infinity
  let y = if r == 0f32 then at_zero else tan_quadrant_f32 q r low
  let z = if a < 6.1035156e-5f32 then times_pair_f32 a (3.1415927f32, -8.742278e-8f32) else y
  in flip_sign_f32 (f32.to_bits x) z
