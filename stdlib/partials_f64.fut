-- How the elementary functions on f64 are differentiated: `d_NAME` gives the partials of `NAME_f64`
-- from its arguments and its result, of several arguments one for each. They take the place of the
-- functions' own operations, which work on bits; their callees are differentiated in the same way.
-- A partial may be infinite at an edge of the domain: a tangent of 0 stays 0 there.

-- | The logarithmic derivative of the gamma function for `x > 0`: by its recurrence up to 10, where
-- the asymptotic series is precise.
def digamma_positive_f64 (x: f64) : f64 =
  let (y, s) = loop (y, s) = (x, 0f64) while y < 10f64 do (y + 1f64, s - 1f64 / y)
  let z = 1f64 / (y * y)
  let tail =
    0.083333333333333333f64
    - z
      * (0.0083333333333333333f64
         - z
           * (0.0039682539682539683f64
              - z
                * (0.0041666666666666667f64
                   - z
                     * (0.0075757575757575758f64
                        - z * (0.021092796092796093f64 - z * 0.083333333333333333f64)))))
  in s + (log_f64 y - 0.5f64 / y - z * tail)

-- | The logarithmic derivative of the gamma function; not a number at its poles.
def digamma_f64 (x: f64) : f64 =
  if x < 0.5f64
  then digamma_positive_f64 (1f64 - x) - 3.1415926535897931f64 / tanpi_f64 x
  else digamma_positive_f64 x

-- | The derivative of `exp`.
def d_exp_f64 (_: f64) (r: f64) : f64 = r

-- | The derivative of `log`.
def d_log_f64 (x: f64) (_: f64) : f64 = 1f64 / x

-- | The derivative of `log2`.
def d_log2_f64 (x: f64) (_: f64) : f64 = 1f64 / (x * 0.69314718055994531f64)

-- | The derivative of `log10`.
def d_log10_f64 (x: f64) (_: f64) : f64 = 1f64 / (x * 2.3025850929940457f64)

-- | The derivative of `log1p`.
def d_log1p_f64 (x: f64) (_: f64) : f64 = 1f64 / (1f64 + x)

-- | The derivative of `cbrt`.
def d_cbrt_f64 (_: f64) (r: f64) : f64 = 1f64 / (3f64 * r * r)

-- | The derivative of `rsqrt`.
def d_rsqrt_f64 (_: f64) (r: f64) : f64 = -0.5f64 * r * r * r

-- | The derivative of `sin`.
def d_sin_f64 (x: f64) (_: f64) : f64 = cos_f64 x

-- | The derivative of `cos`.
def d_cos_f64 (x: f64) (_: f64) : f64 = -(sin_f64 x)

-- | The derivative of `tan`.
def d_tan_f64 (_: f64) (r: f64) : f64 = 1f64 + r * r

-- | The derivative of `asin`.
def d_asin_f64 (x: f64) (_: f64) : f64 = 1f64 / f64.sqrt ((1f64 - x) * (1f64 + x))

-- | The derivative of `acos`.
def d_acos_f64 (x: f64) (_: f64) : f64 = -1f64 / f64.sqrt ((1f64 - x) * (1f64 + x))

-- | The derivative of `atan`.
def d_atan_f64 (x: f64) (_: f64) : f64 = 1f64 / (1f64 + x * x)

-- | The derivative of `sinpi`.
def d_sinpi_f64 (x: f64) (_: f64) : f64 = 3.1415926535897931f64 * cospi_f64 x

-- | The derivative of `cospi`.
def d_cospi_f64 (x: f64) (_: f64) : f64 = -3.1415926535897931f64 * sinpi_f64 x

-- | The derivative of `tanpi`.
def d_tanpi_f64 (_: f64) (r: f64) : f64 = 3.1415926535897931f64 * (1f64 + r * r)

-- | The derivative of `asinpi`.
def d_asinpi_f64 (x: f64) (_: f64) : f64 = 1f64 / (3.1415926535897931f64 * f64.sqrt ((1f64 - x) * (1f64 + x)))

-- | The derivative of `acospi`.
def d_acospi_f64 (x: f64) (_: f64) : f64 = -1f64 / (3.1415926535897931f64 * f64.sqrt ((1f64 - x) * (1f64 + x)))

-- | The derivative of `atanpi`.
def d_atanpi_f64 (x: f64) (_: f64) : f64 = 1f64 / (3.1415926535897931f64 * (1f64 + x * x))

-- | The derivative of `sinh`.
def d_sinh_f64 (x: f64) (_: f64) : f64 = cosh_f64 x

-- | The derivative of `cosh`.
def d_cosh_f64 (x: f64) (_: f64) : f64 = sinh_f64 x

-- | The derivative of `tanh`.
def d_tanh_f64 (_: f64) (r: f64) : f64 = (1f64 - r) * (1f64 + r)

-- | The derivative of `asinh`.
def d_asinh_f64 (x: f64) (_: f64) : f64 = 1f64 / hypot_f64 1f64 x

-- | The derivative of `acosh`.
def d_acosh_f64 (x: f64) (_: f64) : f64 = 1f64 / (f64.sqrt (x - 1f64) * f64.sqrt (x + 1f64))

-- | The derivative of `atanh`.
def d_atanh_f64 (x: f64) (_: f64) : f64 = 1f64 / ((1f64 - x) * (1f64 + x))

-- | The derivative of `gamma`.
def d_gamma_f64 (x: f64) (r: f64) : f64 = r * digamma_f64 x

-- | The derivative of `lgamma`.
def d_lgamma_f64 (x: f64) (_: f64) : f64 = digamma_f64 x

-- | The derivative of `erf`.
def d_erf_f64 (x: f64) (_: f64) : f64 = 1.1283791670955126f64 * exp_f64 (-(x * x))

-- | The derivative of `erfc`.
def d_erfc_f64 (x: f64) (_: f64) : f64 = -1.1283791670955126f64 * exp_f64 (-(x * x))

-- | The partials of `atan2`, 0 at the origin.
def d_atan2_f64 (y: f64) (x: f64) (_: f64) : (f64, f64) =
  let h = hypot_f64 x y
  in if h == 0f64 then (0f64, 0f64) else (x / h / h, -(y / h / h))

-- | The partials of `atan2pi`, 0 at the origin.
def d_atan2pi_f64 (y: f64) (x: f64) (r: f64) : (f64, f64) =
  let (by_y, by_x) = d_atan2_f64 y x r
  in (by_y / 3.1415926535897931f64, by_x / 3.1415926535897931f64)

-- | The partials of `hypot`, 0 at the origin.
def d_hypot_f64 (x: f64) (y: f64) (r: f64) : (f64, f64) =
  if r == 0f64 then (0f64, 0f64) else (x / r, y / r)

-- | The partials of `**`. At `(0, 0)` both are 0, at `(0, 1)` they are 1 and 0. Where `x ** (1 - y)` is
-- one operation and the next lower power is not, that is the divisor: of a root, of an inverse.
def d_pow_f64 (x: f64) (y: f64) (r: f64) : (f64, f64) =
  let below = y == 0.5f64 || y == -1f64
  let power = pow_f64 x (if below then 1f64 - y else y - 1f64)
  in ( if x == 0f64 && y < 1f64 then 0f64 else if below then y / power else y * power
     , if x <= 0f64 then 0f64 else r * log_f64 x
     )

-- | The partials of `%`, which is `x - y * trunc (x / y)`.
def d_fmod_f64 (x: f64) (y: f64) (_: f64) : (f64, f64) =
  let q = x / y
  in (1f64, -(if f64.abs q < f64.inf then f64.trunc q else q))

-- | The derivative of `ldexp` by its first argument.
def d_ldexp_f64 (_: f64) (n: i32) (_: f64) : f64 = ldexp_f64 1f64 n

-- | The partials of `copysign`; the sign is a step.
def d_copysign_f64 (x: f64) (_: f64) (r: f64) : (f64, f64) = (f64.sgn x * f64.sgn r, 0f64)

-- | The partials of `nextafter`; the direction is a step.
def d_nextafter_f64 (_: f64) (_: f64) (_: f64) : (f64, f64) = (1f64, 0f64)
