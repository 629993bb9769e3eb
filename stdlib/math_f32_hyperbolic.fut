-- Hyperbolic functions and their inverses on f32: odd polynomials near 0, elsewhere exponential
-- function and logarithm on pairs.

-- | `exp a` and `exp (-a)` for `a >= 0`, both divided by `2^k`: `(k, pair, second)`. The second one
-- is left out where it is too small to matter.
def exp_both_f32 (a: f32) : (i32, (f32, f32), f32) =
  let (k, h, l) = exp_pair_f32 (if a < 90f32 then a else 90f32, 0f32)
  let r = 1f32 / h
  let small = if k < 20i32 then k else 20i32
  let g = if k < 20i32 then pow2_f32 (-2i32 * small) else 0f32
  in (k, (h, l), (r - l * r * r) * g)

-- | The hyperbolic sine.
def sinh_f32 (x: f32) : f32 =
  let a = f32.abs x
  let z = a * a
  let p = poly3_f32 z 0.16666667f32 0.008333316f32 0.0001984137f32 2.7921546e-6f32
  let near = f32.fma (a * z) p a
  let (k, (h, l), m) = exp_both_f32 a
  let (s, e) = fast_sum_f32 h (-m)
  let y = if a < 1f32 then near else scale_f32 (k - 1i32) (s + (e + l))
  in if f32.isnan x || a < 6.1035156e-5f32 then x else flip_sign_f32 (f32.to_bits x) y

-- | The hyperbolic cosine.
def cosh_f32 (x: f32) : f32 =
  let (k, (h, l), m) = exp_both_f32 (f32.abs x)
  let (s, e) = fast_sum_f32 h m
  in if f32.isnan x then x else scale_f32 (k - 1i32) (s + (e + l))

-- | The hyperbolic tangent: `1 - 2 / (exp (2 x) + 1)` away from 0.
def tanh_f32 (x: f32) : f32 =
  let a = f32.abs x
  let z = a * a
  let p =
    poly4_f32 z
              (-0.33333334f32)
              0.1333338f32
              (-0.05397311f32)
              0.021829521f32
              (-0.008004394f32)
  let near = f32.fma (a * z) p a
  let b = if a < 20f32 then a + a else 20f32
  let (k, h, l) = exp_pair_f32 (b, 0f32)
  let g = pow2_f32 k
  let (d, e) = fast_sum_f32 (h * g) 1f32
  let (q, ql) = pair_quotient_f32 (2f32, 0f32) (d, e + l * g)
  let (s, se) = fast_sum_f32 1f32 (-q)
  let y = if a < 0.35f32 then near else s + (se - ql)
  in if f32.isnan x || a < 6.1035156e-5f32 then x else flip_sign_f32 (f32.to_bits x) y

-- | The inverse of `sinh`: `log (a + sqrt (a^2 + 1))` away from 0.
def asinh_f32 (x: f32) : f32 =
  let a = f32.abs x
  let z = a * a
  let p =
    poly5_f32 z
              (-0.16666666f32)
              0.074999f32
              (-0.044613767f32)
              0.030008735f32
              (-0.019939922f32)
              0.009084855f32
  let near = f32.fma (a * z) p a
  let large = a > 1.0737418e9f32
  let b = if large then 1f32 else a
  let (q, ql) = two_product_f32 b b
  let (s, sl) = two_sum_f32 q 1f32
  let t = pair_sum_f32 (pair_sqrt_f32 (s, sl + ql)) (b, 0f32)
  let finite = if a < f32.from_bits 0x7f800000u32 then a else 1f32
  let u = log_pair_f32 (if large then finite else t.0, if large then 0f32 else t.1)
  let (h, l) = pair_sum_f32 (if large then (0.6931472f32, -1.9046542e-9f32) else (0f32, 0f32)) u
  let y = if a < 0.5f32 then near else h + l
  in if f32.isnan x || f32.isinf x || a < 6.1035156e-5f32
     then x
     else flip_sign_f32 (f32.to_bits x) y

-- | The inverse of `cosh`: `log (1 + t + sqrt (t (x + 1)))` with `t = x - 1`.
def acosh_f32 (x: f32) : f32 =
  let large = x > 1.0737418e9f32
  let b = if large || !(x > 1f32) then 2f32 else x
  let t = b - 1f32
  let s = pair_sqrt_f32 (pair_product_f32 (t, 0f32) (two_sum_f32 b 1f32))
  let (u, ul) = pair_sum_f32 s (t, 0f32)
  let (v, vl) = two_sum_f32 1f32 u
  let finite = if x < f32.from_bits 0x7f800000u32 then x else 1f32
  let w = log_pair_f32 (if large then finite else v, if large then 0f32 else vl + ul)
  let (h, l) = pair_sum_f32 (if large then (0.6931472f32, -1.9046542e-9f32) else (0f32, 0f32)) w
  in if x > 1f32
     then (if f32.isinf x then x else h + l)
     else if x == 1f32
     then 0f32
     else f32.from_bits 0x7fc00000u32

-- | The inverse of `tanh`: half of `log ((1 + a) / (1 - a))` away from 0.
def atanh_f32 (x: f32) : f32 =
  let a = f32.abs x
  let z = a * a
  let p =
    poly5_f32 z
              0.3333329f32
              0.20003185f32
              0.1420922f32
              0.11942224f32
              0.04670039f32
              0.18344574f32
  let near = f32.fma (a * z) p a
  let b = if a >= 0.5f32 && a < 1f32 then a else 0.5f32
  let (h, l) = log_pair_f32 (pair_quotient_f32 (two_sum_f32 1f32 b) (1f32 - b, 0f32))
  let y =
    if a < 0.5f32
    then near
    else if a == 1f32
    then f32.from_bits 0x7f800000u32
    else 0.5f32 * (h + l)
  in if a <= 1f32
     then (if a < 6.1035156e-5f32 then x else flip_sign_f32 (f32.to_bits x) y)
     else f32.from_bits 0x7fc00000u32
