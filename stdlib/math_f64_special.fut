-- The error function and the gamma function on f64, to about 4 units in the last place.

-- | `erf x` for `|x| < 0.75`.
def erf_near_f64 (x: f64) : f64 =
  let z = x * x
  in x
     * (1.1283791670955126f64
        - z
          * (0.37612638903183526f64
             - z
               * (0.1128379167094522f64
                  - z
                    * (0.026866170643120538f64
                       - z
                         * (0.005223977602670978f64
                            - z
                              * (0.000854832544167019f64
                                 - z
                                   * (0.00012055262128806983f64
                                      - z
                                        * (1.49235600081136e-5f64
                                           - z
                                             * (1.6421638175423976e-6f64
                                                - z * (1.5868098880422657e-7f64 - z * 1.1227147989897686e-8f64))))))))))

-- | `erfc a` for `a >= 0.75`: `exp (-a^2)` times a polynomial in `t = 1 / (a + c)`, which is
-- regular at infinity.
def erfc_far_f64 (a: f64) : f64 =
  let b = if a < 27.5f64 then a else 27.5f64
  let (p, e) = two_product_f64 b b
  let (k, h, l) = exp_pair_f64 (-p, -e)
  let (d, de) = two_sum_f64 b 3f64
  let t = 1f64 / d
  let (u, ue) = two_product_f64 t d
  let q =
    t
    * (0.5641895835501598f64
       + t
         * (1.692568750140218f64
            + t
              * (4.795611507985195f64
                 + t
                   * (12.694262898328347f64
                      + t
                        * (30.889483845121045f64
                           + t
                             * (67.27683461286944f64
                                + t
                                  * (124.6671560967306f64
                                     + t
                                       * (171.36985468116472f64
                                          + t
                                            * (83.43618083346648f64
                                               - t
                                                 * (407.20021473146113f64
                                                    + t
                                                      * (3056.250460022107f64
                                                         - t
                                                           * (16424.111452536734f64
                                                              - t
                                                                * (185459.37162398623f64
                                                                   - t
                                                                     * (1343222.405121494f64
                                                                        - t
                                                                          * (7038368.230565922f64
                                                                             - t
                                                                               * (28562373.361373555f64
                                                                                  - t
                                                                                    * (84502295.57993038f64
                                                                                       - t
                                                                                         * (171784410.21251842f64
                                                                                            - t
                                                                                              * (226870076.14077333f64
                                                                                                 - t * (176081928.48091722f64 - t * 61294449.82034521f64))))))))))))))))))))
  -- the relative error of t counts about twice
  let correction = 2f64 * (((1f64 - u) - ue) - t * de)
  in scale_f64 k (h * q + (l + h * correction) * q)

-- | The error function.
def erf_f64 (x: f64) : f64 =
  let a = f64.abs x
  let far = 1f64 - erfc_far_f64 (if a < 0.75f64 then 1f64 else a)
  let y = if a < 0.75f64 then erf_near_f64 a else far
  in if f64.isnan x
     then x
     else if a < 3.725290298461914e-9f64
     then flip_sign_f64 (f64.to_bits x) (times_pair_f64 a
                                                        (1.1283791670955126f64, 1.533545961316588e-17f64))
     else flip_sign_f64 (f64.to_bits x) y

-- | `1 - erf x`, precise where that is small.
def erfc_f64 (x: f64) : f64 =
  let a = f64.abs x
  let far = erfc_far_f64 (if a < 0.75f64 then 1f64 else a)
  in if f64.isnan x
     then x
     else if a < 0.75f64
     then 1f64 - erf_near_f64 x
     else if x < 0f64
     then 2f64 - far
     else far

-- | `log gamma w` for a pair `w >= 8` by Stirling's series, as a pair.
def stirling_f64 ((wh, wl): (f64, f64)) : (f64, f64) =
  let (lh, ll) = log_pair_f64 (wh, wl)
  let (m, me) = two_sum_f64 lh (-1f64)
  let (v, ve) = two_sum_f64 wh (-0.5f64)
  let t = pair_product_f64 (v, ve + wl) (m, me + ll)
  let u = 1f64 / wh
  let z = u * u
  let p =
    u
    * (0.08333333333333333f64
       - z
         * (0.002777777777777778f64
            - z
              * (0.0007936507936507937f64
                 - z
                   * (0.0005952380952380953f64
                      - z
                        * (0.0008417508417508417f64
                           - z
                             * (0.0019175269175269176f64
                                - z
                                  * (0.00641025641025641f64
                                     - z
                                       * (0.029550653594771242f64
                                          - z * 0.17964437236883057f64))))))))
  let (s, e) = pair_sum_f64 t (0.4189385332046727f64, 1.6728209650585413e-17f64)
  in fast_sum_f64 s (e + p)

-- | The shift of `x > 0` up to where Stirling's series is precise: `(w, p)` with `gamma x = gamma w
-- / p`, both pairs.
def gamma_shift_f64 (x: f64) : ((f64, f64), (f64, f64)) =
  let small = x < 8f64
  let b = if small then x else 1f64
  let times (p: (f64, f64)) (c: f64): (f64, f64) = pair_product_f64 p (two_sum_f64 c b)
  let p2 = times (b, 0f64) 1f64
  let p3 = times p2 2f64
  let p4 = times p3 3f64
  let p5 = times p4 4f64
  let p6 = times p5 5f64
  let p7 = times p6 6f64
  let p8 = times p7 7f64
  in (if small then two_sum_f64 8f64 b else (x, 0f64), if small then p8 else (1f64, 0f64))

-- | Sine of `a` half turns as a pair, up to its sign; `a > 0` finite.
def sinpi_pair_f64 (a: f64) : (f64, f64) =
  let (q, r, low) = quadrant_pi_f64 a
  let (s, c) = sin_cos_pair_f64 r low
  let (h, l) = if (q & 1i32) == 0i32 then s else c
  in if h < 0f64 then (-h, -l) else (h, l)

-- | The gamma function: Stirling's series, and for `x < 0` the reflection `gamma (-a) = -pi / (a
-- sin (pi a) gamma a)`.
def gamma_f64 (x: f64) : f64 =
  let a = f64.abs x
  let infinity = f64.from_bits 0x7ff0000000000000u64
  let b = if a < 190f64 then (if a < 2.168404344971009e-19f64 then 1f64 else a) else 190f64
  let (w, p) = gamma_shift_f64 b
  let (k, h, l) = exp_pair_f64 (stirling_f64 w)
  let (g, ge) = pair_quotient_f64 (h, l) p
  let (s, se) = pair_product_f64 (sinpi_pair_f64 b) (pair_product_f64 (b, 0f64) (h, l))
  let (r, re) =
    pair_quotient_f64 (pair_product_f64 (3.141592653589793f64, 1.2246467991473532e-16f64) p)
                      (s, se)
  -- gamma is negative between -1 and 0, positive between -2 and -1, and so on
  let whole = f64.floor a
  let below = if is_odd_f64 whole then scale_f64 (-k) (r + re) else -(scale_f64 (-k) (r + re))
  in if f64.isnan x
     then x
     else if a < 2.168404344971009e-19f64
     then 1f64 / x
     else if x > 0f64
     then (if a < 190f64 then scale_f64 k (g + ge) else infinity)
     else if whole == a
     then f64.from_bits 0x7ff8000000000000u64
     else if a < 190f64
     then below
     else if is_odd_f64 whole then 0f64 else -0f64

-- | `log gamma x` as a pair for `x > 0`, not tiny and not so large that it overflows. Around the
-- zeros 1 and 2 from a polynomial in `t = x - 2` or `x - 1`, of which the second needs `log x`.
def lgamma_pair_f64 (x: f64) : (f64, f64) =
  let (w, p) = gamma_shift_f64 x
  let (lh, ll) = log_pair_f64 (if x >= 0.5f64 && x < 1.5f64 then (x, 0f64) else p)
  let far = pair_sum_f64 (stirling_f64 w) (-lh, -ll)
  let middle = x >= 0.5f64 && x < 2.5f64
  let t = if middle then (if x < 1.5f64 then x - 1f64 else x - 2f64) else 0f64
  let c =
    (0.3224670334241133f64
     - t
       * (0.06735230105319544f64
          - t
            * (0.02058080842776549f64
               - t
                 * (0.007385551028946471f64
                    - t
                      * (0.002890510331862684f64
                         - t
                           * (0.001192753900716691f64
                              - t
                                * (0.0005096694946874228f64
                                   - t
                                     * (0.0002231549814681566f64
                                        - t
                                          * (9.945794869183404e-5f64
                                             - t
                                               * (4.492369445082915e-5f64
                                                  - t
                                                    * (2.050351786737446e-5f64
                                                       - t
                                                         * (9.456446428421778e-6f64
                                                            - t
                                                              * (4.393601073583068e-6f64
                                                                 - t
                                                                   * (1.973909162805321e-6f64
                                                                      - t
                                                                        * (8.997887818701954e-7f64
                                                                           - t * (5.815481742133901e-7f64 - t * 2.977481064747278e-7f64))))))))))))))))
  let (m, me) =
    pair_product_f64 (t, 0f64)
                     (fast_sum_f64 0.42278433509846713f64 (t * c + 4.942915152430645e-18f64))
  let near = if x < 1.5f64 then pair_sum_f64 (m, me) (-lh, -ll) else (m, me)
  in if middle then near else far

-- | The logarithm of the magnitude of the gamma function. Near its zeros for `x < -2` the error is
-- small compared with 1 rather than with the result.
def lgamma_f64 (x: f64) : f64 =
  let a = f64.abs x
  let infinity = f64.from_bits 0x7ff0000000000000u64
  let tiny = a < 2.168404344971009e-19f64
  let b = if tiny || !(a < 2.5599833278516383e305f64) then 3f64 else a
  let (h, l) = lgamma_pair_f64 b
  let (r, re) = log_pair_f64 (pair_product_f64 (b, 0f64) (sinpi_pair_f64 b))
  let (n, ne) = pair_sum_f64 (1.1447298858494002f64, 1.0265951162707826e-17f64) (-r, -re)
  let (m, me) = pair_sum_f64 (n, ne) (-h, -l)
  in if f64.isnan x
     then x
     else if a == 0f64 || f64.isinf x || (x < 0f64 && f64.floor a == a)
     then infinity
     else if tiny
     then -(log_f64 a)
     else if !(a < 2.5599833278516383e305f64)
     then infinity
     else if x > 0f64
     then h + l
     else m + me
