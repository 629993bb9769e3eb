-- How the elementary functions on f32 are differentiated: `d_NAME` gives the partials of `NAME_f32`
-- from its arguments and its result, of several arguments one for each. They take the place of the
-- functions' own operations, which work on bits; their callees are differentiated in the same way.
-- A partial may be infinite at an edge of the domain: a tangent of 0 stays 0 there.

-- | The logarithmic derivative of the gamma function for `x > 0`: by its recurrence up to 6, where
-- the asymptotic series is precise.
def digamma_positive_f32 (x: f32) : f32 =
  let (y, s) = loop (y, s) = (x, 0f32) while y < 6f32 do (y + 1f32, s - 1f32 / y)
  let z = 1f32 / (y * y)
  let tail = 0.0833333333f32 - z * (0.00833333333f32 - z * (0.00396825397f32 - z * 0.00416666667f32))
  in s + (log_f32 y - 0.5f32 / y - z * tail)

-- | The logarithmic derivative of the gamma function; not a number at its poles.
def digamma_f32 (x: f32) : f32 =
  if x < 0.5f32
  then digamma_positive_f32 (1f32 - x) - 3.14159265f32 / tanpi_f32 x
  else digamma_positive_f32 x

-- | The derivative of `exp`.
def d_exp_f32 (_: f32) (r: f32) : f32 = r

-- | The derivative of `log`.
def d_log_f32 (x: f32) (_: f32) : f32 = 1f32 / x

-- | The derivative of `log2`.
def d_log2_f32 (x: f32) (_: f32) : f32 = 1f32 / (x * 0.693147181f32)

-- | The derivative of `log10`.
def d_log10_f32 (x: f32) (_: f32) : f32 = 1f32 / (x * 2.30258509f32)

-- | The derivative of `log1p`.
def d_log1p_f32 (x: f32) (_: f32) : f32 = 1f32 / (1f32 + x)

-- | The derivative of `cbrt`.
def d_cbrt_f32 (_: f32) (r: f32) : f32 = 1f32 / (3f32 * r * r)

-- | The derivative of `rsqrt`.
def d_rsqrt_f32 (_: f32) (r: f32) : f32 = -0.5f32 * r * r * r

-- | The derivative of `sin`.
def d_sin_f32 (x: f32) (_: f32) : f32 = cos_f32 x

-- | The derivative of `cos`.
def d_cos_f32 (x: f32) (_: f32) : f32 = -(sin_f32 x)

-- | The derivative of `tan`.
def d_tan_f32 (_: f32) (r: f32) : f32 = 1f32 + r * r

-- | The derivative of `asin`.
def d_asin_f32 (x: f32) (_: f32) : f32 = 1f32 / f32.sqrt ((1f32 - x) * (1f32 + x))

-- | The derivative of `acos`.
def d_acos_f32 (x: f32) (_: f32) : f32 = -1f32 / f32.sqrt ((1f32 - x) * (1f32 + x))

-- | The derivative of `atan`.
def d_atan_f32 (x: f32) (_: f32) : f32 = 1f32 / (1f32 + x * x)

-- | The derivative of `sinpi`.
def d_sinpi_f32 (x: f32) (_: f32) : f32 = 3.14159265f32 * cospi_f32 x

-- | The derivative of `cospi`.
def d_cospi_f32 (x: f32) (_: f32) : f32 = -3.14159265f32 * sinpi_f32 x

-- | The derivative of `tanpi`.
def d_tanpi_f32 (_: f32) (r: f32) : f32 = 3.14159265f32 * (1f32 + r * r)

-- | The derivative of `asinpi`.
def d_asinpi_f32 (x: f32) (_: f32) : f32 = 1f32 / (3.14159265f32 * f32.sqrt ((1f32 - x) * (1f32 + x)))

-- | The derivative of `acospi`.
def d_acospi_f32 (x: f32) (_: f32) : f32 = -1f32 / (3.14159265f32 * f32.sqrt ((1f32 - x) * (1f32 + x)))

-- | The derivative of `atanpi`.
def d_atanpi_f32 (x: f32) (_: f32) : f32 = 1f32 / (3.14159265f32 * (1f32 + x * x))

-- | The derivative of `sinh`.
def d_sinh_f32 (x: f32) (_: f32) : f32 = cosh_f32 x

-- | The derivative of `cosh`.
def d_cosh_f32 (x: f32) (_: f32) : f32 = sinh_f32 x

-- | The derivative of `tanh`.
def d_tanh_f32 (_: f32) (r: f32) : f32 = (1f32 - r) * (1f32 + r)

-- | The derivative of `asinh`.
def d_asinh_f32 (x: f32) (_: f32) : f32 = 1f32 / hypot_f32 1f32 x

-- | The derivative of `acosh`.
def d_acosh_f32 (x: f32) (_: f32) : f32 = 1f32 / (f32.sqrt (x - 1f32) * f32.sqrt (x + 1f32))

-- | The derivative of `atanh`.
def d_atanh_f32 (x: f32) (_: f32) : f32 = 1f32 / ((1f32 - x) * (1f32 + x))

-- | The derivative of `gamma`.
def d_gamma_f32 (x: f32) (r: f32) : f32 = r * digamma_f32 x

-- | The derivative of `lgamma`.
def d_lgamma_f32 (x: f32) (_: f32) : f32 = digamma_f32 x

-- | The derivative of `erf`.
def d_erf_f32 (x: f32) (_: f32) : f32 = 1.12837917f32 * exp_f32 (-(x * x))

-- | The derivative of `erfc`.
def d_erfc_f32 (x: f32) (_: f32) : f32 = -1.12837917f32 * exp_f32 (-(x * x))

-- | The partials of `atan2`, 0 at the origin.
def d_atan2_f32 (y: f32) (x: f32) (_: f32) : (f32, f32) =
  let h = hypot_f32 x y
  in if h == 0f32 then (0f32, 0f32) else (x / h / h, -(y / h / h))

-- | The partials of `atan2pi`, 0 at the origin.
def d_atan2pi_f32 (y: f32) (x: f32) (r: f32) : (f32, f32) =
  let (by_y, by_x) = d_atan2_f32 y x r
  in (by_y / 3.14159265f32, by_x / 3.14159265f32)

-- | The partials of `hypot`, 0 at the origin.
def d_hypot_f32 (x: f32) (y: f32) (r: f32) : (f32, f32) =
  if r == 0f32 then (0f32, 0f32) else (x / r, y / r)

-- | The partials of `**`. At `(0, 0)` both are 0, at `(0, 1)` they are 1 and 0. Where `x ** (1 - y)` is
-- one operation and the next lower power is not, that is the divisor: of a root, of an inverse.
def d_pow_f32 (x: f32) (y: f32) (r: f32) : (f32, f32) =
  let below = y == 0.5f32 || y == -1f32
  let power = pow_f32 x (if below then 1f32 - y else y - 1f32)
  in ( if x == 0f32 && y < 1f32 then 0f32 else if below then y / power else y * power
     , if x <= 0f32 then 0f32 else r * log_f32 x
     )

-- | The partials of `%`, which is `x - y * trunc (x / y)`.
def d_fmod_f32 (x: f32) (y: f32) (_: f32) : (f32, f32) =
  let q = x / y
  in (1f32, -(if f32.abs q < f32.inf then f32.trunc q else q))

-- | The partials of `fma`.
def d_fma_f32 (x: f32) (y: f32) (_: f32) (_: f32) : (f32, f32, f32) = (y, x, 1f32)

-- | The derivative of `ldexp` by its first argument.
def d_ldexp_f32 (_: f32) (n: i32) (_: f32) : f32 = ldexp_f32 1f32 n

-- | The partials of `copysign`; the sign is a step.
def d_copysign_f32 (x: f32) (_: f32) (r: f32) : (f32, f32) = (f32.sgn x * f32.sgn r, 0f32)

-- | The partials of `nextafter`; the direction is a step.
def d_nextafter_f32 (_: f32) (_: f32) (_: f32) : (f32, f32) = (1f32, 0f32)
