-- Hyperbolic functions and their inverses on f64: odd polynomials near 0, elsewhere exponential
-- function and logarithm on pairs.

-- | `exp a` and `exp (-a)` for `a >= 0`, both divided by `2^k`: `(k, pair, second)`. The second one
-- is left out where it is too small to matter.
def exp_both_f64 (a: f64) : (i32, (f64, f64), f64) =
  let (k, h, l) = exp_pair_f64 (if a < 711f64 then a else 711f64, 0f64)
  let r = 1f64 / h
  let small = if k < 40i32 then k else 40i32
  let g = if k < 40i32 then pow2_f64 (-2i32 * small) else 0f64
  in (k, (h, l), (r - l * r * r) * g)

-- | The hyperbolic sine.
def sinh_f64 (x: f64) : f64 =
  let a = f64.abs x
  let z = a * a
  let p =
    (0.16666666666666666f64
     + z
       * (0.008333333333333515f64
          + z
            * (0.00019841269841138328f64
               + z
                 * (2.7557319271124165e-6f64
                    + z
                      * (2.505209908992659e-8f64
                         + z
                           * (1.6060071033404407e-10f64
                              + z * (7.587421465276156e-13f64 + z * 4.245982339773602e-15f64)))))))
  let near = a + a * z * p
  let (k, (h, l), m) = exp_both_f64 a
  let (s, e) = fast_sum_f64 h (-m)
  let y = if a < 1f64 then near else scale_f64 (k - 1i32) (s + (e + l))
  in if f64.isnan x || a < 3.725290298461914e-9f64 then x else flip_sign_f64 (f64.to_bits x) y

-- | The hyperbolic cosine.
def cosh_f64 (x: f64) : f64 =
  let (k, (h, l), m) = exp_both_f64 (f64.abs x)
  let (s, e) = fast_sum_f64 h m
  in if f64.isnan x then x else scale_f64 (k - 1i32) (s + (e + l))

-- | The hyperbolic tangent: `1 - 2 / (exp (2 x) + 1)` away from 0.
def tanh_f64 (x: f64) : f64 =
  let a = f64.abs x
  let z = a * a
  let p =
    (-0.3333333333333333f64
     + z
       * (0.13333333333332853f64
          - z
            * (0.053968253967779954f64
               - z
                 * (0.02186948851168234f64
                    - z
                      * (0.008863234776633321f64
                         - z
                           * (0.0035921133018236833f64
                              - z
                                * (0.001455646042675537f64
                                   - z
                                     * (0.0005884537113241241f64
                                        - z
                                          * (0.00023078623738898295f64
                                             - z * 7.095554852965983e-5f64)))))))))
  let near = a + a * z * p
  let b = if a < 44f64 then a + a else 44f64
  let (k, h, l) = exp_pair_f64 (b, 0f64)
  let g = pow2_f64 k
  let (d, e) = fast_sum_f64 (h * g) 1f64
  let (q, ql) = pair_quotient_f64 (2f64, 0f64) (d, e + l * g)
  let (s, se) = fast_sum_f64 1f64 (-q)
  let y = if a < 0.35f64 then near else s + (se - ql)
  in if f64.isnan x || a < 3.725290298461914e-9f64 then x else flip_sign_f64 (f64.to_bits x) y

-- | The inverse of `sinh`: `log (a + sqrt (a^2 + 1))` away from 0.
def asinh_f64 (x: f64) : f64 =
  let a = f64.abs x
  let z = a * a
  let p =
    (-0.1666666666666666f64
     + z
       * (0.07499999999998153f64
          - z
            * (0.04464285714095119f64
               - z
                 * (0.03038194434368185f64
                    - z
                      * (0.022372155914084365f64
                         - z
                           * (0.017352699505335273f64
                              - z
                                * (0.013963940184292114f64
                                   - z
                                     * (0.011542979275008665f64
                                        - z
                                          * (0.009700273837836008f64
                                             - z
                                               * (0.008085542430599552f64
                                                  - z
                                                    * (0.006237619855612408f64
                                                       - z * (0.0038014512095505834f64 - z * 0.0012874106823679797f64))))))))))))
  let near = a + a * z * p
  let large = a > 1073741824f64
  let b = if large then 1f64 else a
  let (q, ql) = two_product_f64 b b
  let (s, sl) = two_sum_f64 q 1f64
  let t = pair_sum_f64 (pair_sqrt_f64 (s, sl + ql)) (b, 0f64)
  let finite = if a < f64.from_bits 0x7ff0000000000000u64 then a else 1f64
  let u = log_pair_f64 (if large then finite else t.0, if large then 0f64 else t.1)
  let (h, l) =
    pair_sum_f64 (if large
                  then (0.6931471805599453f64, 2.3190468138462996e-17f64)
                  else (0f64, 0f64))
                 u
  let y = if a < 0.5f64 then near else h + l
  in if f64.isnan x || f64.isinf x || a < 3.725290298461914e-9f64
     then x
     else flip_sign_f64 (f64.to_bits x) y

-- | The inverse of `cosh`: `log (1 + t + sqrt (t (x + 1)))` with `t = x - 1`.
def acosh_f64 (x: f64) : f64 =
  let large = x > 1073741824f64
  let b = if large || !(x > 1f64) then 2f64 else x
  let t = b - 1f64
  let s = pair_sqrt_f64 (pair_product_f64 (t, 0f64) (two_sum_f64 b 1f64))
  let (u, ul) = pair_sum_f64 s (t, 0f64)
  let (v, vl) = two_sum_f64 1f64 u
  let finite = if x < f64.from_bits 0x7ff0000000000000u64 then x else 1f64
  let w = log_pair_f64 (if large then finite else v, if large then 0f64 else vl + ul)
  let (h, l) =
    pair_sum_f64 (if large
                  then (0.6931471805599453f64, 2.3190468138462996e-17f64)
                  else (0f64, 0f64))
                 w
  in if x > 1f64
     then (if f64.isinf x then x else h + l)
     else if x == 1f64
     then 0f64
     else f64.from_bits 0x7ff8000000000000u64

-- | The inverse of `tanh`: half of `log ((1 + a) / (1 - a))` away from 0.
def atanh_f64 (x: f64) : f64 =
  let a = f64.abs x
  let z = a * a
  let p =
    (0.33333333333333237f64
     + z
       * (0.20000000000033186f64
          + z
            * (0.1428571428171087f64
               + z
                 * (0.11111111354796731f64
                    + z
                      * (0.09090900315529515f64
                         + z
                           * (0.07692511642973392f64
                              + z
                                * (0.06663445484041092f64
                                   + z
                                     * (0.0591798672605385f64
                                        + z
                                          * (0.04982959421996215f64
                                             + z
                                               * (0.06329592695787502f64
                                                  - z
                                                    * (0.01803503862193406f64
                                                       - z
                                                         * (0.20314294690920306f64
                                                            - z
                                                              * (0.23292394220327012f64
                                                                 - z * 0.26253419975917286f64)))))))))))))
  let near = a + a * z * p
  let b = if a >= 0.5f64 && a < 1f64 then a else 0.5f64
  let (h, l) = log_pair_f64 (pair_quotient_f64 (two_sum_f64 1f64 b) (1f64 - b, 0f64))
  let y =
    if a < 0.5f64
    then near
    else if a == 1f64
    then f64.from_bits 0x7ff0000000000000u64
    else 0.5f64 * (h + l)
  in if a <= 1f64
     then (if a < 3.725290298461914e-9f64 then x else flip_sign_f64 (f64.to_bits x) y)
     else f64.from_bits 0x7ff8000000000000u64
