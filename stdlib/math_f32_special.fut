-- The error function and the gamma function on f32, to about 4 units in the last place.

-- | `erf x` for `|x| < 0.75`.
def erf_near_f32 (x: f32) : f32 =
  let z = x * x
  in x
     * poly5_f32 z
                 1.1283791f32
                 (-0.37612417f32)
                 0.11281439f32
                 (-0.026758214f32)
                 0.0049821227f32
                 (-0.00059156877f32)

-- | `erfc a` for `a >= 0.75`: `exp (-a^2)` times a polynomial in `t = 1 / (a + c)`, which is
-- regular at infinity.
def erfc_far_f32 (a: f32) : f32 =
  let b = if a < 10.2f32 then a else 10.2f32
  let (p, e) = two_product_f32 b b
  let (k, h, l) = exp_pair_f32 (-p, -e)
  let (d, de) = two_sum_f32 b 1.5f32
  let t = 1f32 / d
  let q =
    t
    * poly5_f32 t
                0.56421876f32
                0.84495133f32
                1.012936f32
                0.36512917f32
                1.1631486f32
                (poly2_f32 t (-8.4207735f32) 11.22753f32 (-5.0135717f32))
  -- the relative error of t counts about twice
  let correction = 2f32 * (f32.fma (-t) d 1f32 - t * de)
  in scale_f32 k (f32.fma h q (f32.fma h correction l * q))

-- | The error function.
def erf_f32 (x: f32) : f32 =
  let a = f32.abs x
  let far = 1f32 - erfc_far_f32 (if a < 0.75f32 then 1f32 else a)
  let y = if a < 0.75f32 then erf_near_f32 a else far
  in if f32.isnan x
     then x
     else if a < 6.1035156e-5f32
     then flip_sign_f32 (f32.to_bits x) (times_pair_f32 a
                                                        (1.1283792f32, -5.8635383e-8f32))
     else flip_sign_f32 (f32.to_bits x) y

-- | `1 - erf x`, precise where that is small.
def erfc_f32 (x: f32) : f32 =
  let a = f32.abs x
  let far = erfc_far_f32 (if a < 0.75f32 then 1f32 else a)
  in if f32.isnan x
     then x
     else if a < 0.75f32
     then 1f32 - erf_near_f32 x
     else if x < 0f32
     then 2f32 - far
     else far

-- | `log gamma w` for a pair `w >= 8` by Stirling's series, as a pair.
def stirling_f32 ((wh, wl): (f32, f32)) : (f32, f32) =
  let (lh, ll) = log_pair_f32 (wh, wl)
  let (m, me) = two_sum_f32 lh (-1f32)
  let (v, ve) = two_sum_f32 wh (-0.5f32)
  let t = pair_product_f32 (v, ve + wl) (m, me + ll)
  let u = 1f32 / wh
  let z = u * u
  let p = u * poly3_f32 z 0.083333336f32 (-0.0027777778f32) 0.0007936508f32 (-0.0005952381f32)
  let (s, e) = pair_sum_f32 t (0.41893855f32, -1.4168145e-8f32)
  in fast_sum_f32 s (e + p)

-- | The shift of `x > 0` up to where Stirling's series is precise: `(w, p)` with `gamma x = gamma w
-- / p`, both pairs.
def gamma_shift_f32 (x: f32) : ((f32, f32), (f32, f32)) =
  let small = x < 8f32
  let b = if small then x else 1f32
  let times (p: (f32, f32)) (c: f32): (f32, f32) = pair_product_f32 p (two_sum_f32 c b)
  let p2 = times (b, 0f32) 1f32
  let p3 = times p2 2f32
  let p4 = times p3 3f32
  let p5 = times p4 4f32
  let p6 = times p5 5f32
  let p7 = times p6 6f32
  let p8 = times p7 7f32
  in (if small then two_sum_f32 8f32 b else (x, 0f32), if small then p8 else (1f32, 0f32))

-- | Sine of `a` half turns as a pair, up to its sign; `a > 0` finite.
def sinpi_pair_f32 (a: f32) : (f32, f32) =
  let (q, r, low) = quadrant_pi_f32 a
  let (s, c) = sin_cos_pair_f32 r low
  let (h, l) = if (q & 1i32) == 0i32 then s else c
  in if h < 0f32 then (-h, -l) else (h, l)

-- | The gamma function: Stirling's series, and for `x < 0` the reflection `gamma (-a) = -pi / (a
-- sin (pi a) gamma a)`.
def gamma_f32 (x: f32) : f32 =
  let a = f32.abs x
  let infinity = f32.from_bits 0x7f800000u32
  let b = if a < 50f32 then (if a < 2.3283064e-10f32 then 1f32 else a) else 50f32
  let (w, p) = gamma_shift_f32 b
  let (k, h, l) = exp_pair_f32 (stirling_f32 w)
  let (g, ge) = pair_quotient_f32 (h, l) p
  let (s, se) = pair_product_f32 (sinpi_pair_f32 b) (pair_product_f32 (b, 0f32) (h, l))
  let (r, re) = pair_quotient_f32 (pair_product_f32 (3.1415927f32, -8.742278e-8f32) p) (s, se)
  -- gamma is negative between -1 and 0, positive between -2 and -1, and so on
  let whole = f32.floor a
  let below = if is_odd_f32 whole then scale_f32 (-k) (r + re) else -(scale_f32 (-k) (r + re))
  in if f32.isnan x
     then x
     else if a < 2.3283064e-10f32
     then 1f32 / x
     else if x > 0f32
     then (if a < 50f32 then scale_f32 k (g + ge) else infinity)
     else if whole == a
     then f32.from_bits 0x7fc00000u32
     else if a < 50f32
     then below
     else if is_odd_f32 whole then 0f32 else -0f32

-- | `log gamma x` as a pair for `x > 0`, not tiny and not so large that it overflows. Around the
-- zeros 1 and 2 from a polynomial in `t = x - 2` or `x - 1`, of which the second needs `log x`.
def lgamma_pair_f32 (x: f32) : (f32, f32) =
  let (w, p) = gamma_shift_f32 x
  let (lh, ll) = log_pair_f32 (if x >= 0.5f32 && x < 1.5f32 then (x, 0f32) else p)
  let far = pair_sum_f32 (stirling_f32 w) (-lh, -ll)
  let middle = x >= 0.5f32 && x < 2.5f32
  let t = if middle then (if x < 1.5f32 then x - 1f32 else x - 2f32) else 0f32
  let c =
    poly5_f32 t
              0.32246703f32
              (-0.06735189f32)
              0.020581359f32
              (-0.007392142f32)
              0.0028806883f32
              (poly2_f32 t (-0.0011526843f32) 0.0005665096f32 (-0.0003145185f32))
  let (m, me) =
    pair_product_f32 (t, 0f32)
                     (fast_sum_f32 0.42278433f32 (f32.fma t c 6.637774e-9f32))
  let near = if x < 1.5f32 then pair_sum_f32 (m, me) (-lh, -ll) else (m, me)
  in if middle then near else far

-- | The logarithm of the magnitude of the gamma function. Near its zeros for `x < -2` the error is
-- small compared with 1 rather than with the result.
def lgamma_f32 (x: f32) : f32 =
  let a = f32.abs x
  let infinity = f32.from_bits 0x7f800000u32
  let tiny = a < 2.3283064e-10f32
  let b = if tiny || !(a < 4.0850034e36f32) then 3f32 else a
  let (h, l) = lgamma_pair_f32 b
  let (r, re) = log_pair_f32 (pair_product_f32 (b, 0f32) (sinpi_pair_f32 b))
  let (n, ne) = pair_sum_f32 (1.1447299f32, 3.317301e-8f32) (-r, -re)
  let (m, me) = pair_sum_f32 (n, ne) (-h, -l)
  in if f32.isnan x
     then x
     else if a == 0f32 || f32.isinf x || (x < 0f32 && f32.floor a == a)
     then infinity
     else if tiny
     then -(log_f32 a)
     else if !(a < 4.0850034e36f32)
     then infinity
     else if x > 0f32
     then h + l
     else m + me
