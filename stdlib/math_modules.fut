-- The float modules in full: basis_number_float.fut, and the functions of math_*.fut under
-- their usual names. Those of f16 are computed in f32 and rounded once.

-- | An `f32` rounded to `f16`.
def narrow_f16 (x: f32) : f16 = f16.f32 x

-- | An `f16` as an `f32`.
def widen_f16 (x: f16) : f32 = f32.f16 x

-- | `x` to the power `y`: the meaning of `**`.
def pow_f16 (x: f16) (y: f16) : f16 = narrow_f16 (pow_f32 (widen_f16 x) (widen_f16 y))

-- | The bit of `x` at a position, counted from the lowest.
def get_bit_f16 (bit: i32) (x: f16) : i32 = u16.get_bit bit (f16.to_bits x)

-- | `x` with the bit at a position replaced.
def set_bit_f16 (bit: i32) (x: f16) (b: i32) : f16 =
  f16.from_bits (u16.set_bit bit (f16.to_bits x) b)

-- | The bit of `x` at a position, counted from the lowest.
def get_bit_f32 (bit: i32) (x: f32) : i32 = u32.get_bit bit (f32.to_bits x)

-- | `x` with the bit at a position replaced.
def set_bit_f32 (bit: i32) (x: f32) (b: i32) : f32 =
  f32.from_bits (u32.set_bit bit (f32.to_bits x) b)

-- | The bit of `x` at a position, counted from the lowest.
def get_bit_f64 (bit: i32) (x: f64) : i32 = u64.get_bit bit (f64.to_bits x)

-- | `x` with the bit at a position replaced.
def set_bit_f64 (bit: i32) (x: f64) (b: i32) : f64 =
  f64.from_bits (u64.set_bit bit (f64.to_bits x) b)

-- | The magnitude of the first number with the sign of the second.
def copysign_f16 (x: f16) (y: f16) : f16 =
  f16.from_bits ((f16.to_bits x & 0x7fffu16) | (f16.to_bits y & 0x8000u16))

-- | The next number after `x` in the direction of `y`.
def nextafter_f16 (x: f16) (y: f16) : f16 =
  let bits = f16.to_bits x
  let up = (x < y) == (x > 0f16)
  in if f16.isnan x || f16.isnan y
     then x + y
     else if x == y
     then y
     else if x == 0f16
     then f16.from_bits ((f16.to_bits y & 0x8000u16) | 1u16)
     else f16.from_bits (if up then bits + 1u16 else bits - 1u16)

-- | Operations on `f16`.
module f16 = {
  open f16

  -- | The exponential function.
  def exp (x: f16) : f16 = narrow_f16 (exp_f32 (widen_f16 x))

  -- | The natural logarithm.
  def log (x: f16) : f16 = narrow_f16 (log_f32 (widen_f16 x))

  -- | The logarithm to base 2.
  def log2 (x: f16) : f16 = narrow_f16 (log2_f32 (widen_f16 x))

  -- | The logarithm to base 10.
  def log10 (x: f16) : f16 = narrow_f16 (log10_f32 (widen_f16 x))

  -- | `log (1 + x)`, precise for small `x`.
  def log1p (x: f16) : f16 = narrow_f16 (log1p_f32 (widen_f16 x))

  -- | The cube root.
  def cbrt (x: f16) : f16 = narrow_f16 (cbrt_f32 (widen_f16 x))

  -- | One divided by the square root.
  def rsqrt (x: f16) : f16 = narrow_f16 (rsqrt_f32 (widen_f16 x))

  -- | The sine of an angle in radians.
  def sin (x: f16) : f16 = narrow_f16 (sin_f32 (widen_f16 x))

  -- | The cosine of an angle in radians.
  def cos (x: f16) : f16 = narrow_f16 (cos_f32 (widen_f16 x))

  -- | The tangent of an angle in radians.
  def tan (x: f16) : f16 = narrow_f16 (tan_f32 (widen_f16 x))

  -- | The angle with a sine, between `-pi/2` and `pi/2`.
  def asin (x: f16) : f16 = narrow_f16 (asin_f32 (widen_f16 x))

  -- | The angle with a cosine, between 0 and `pi`.
  def acos (x: f16) : f16 = narrow_f16 (acos_f32 (widen_f16 x))

  -- | The angle with a tangent, between `-pi/2` and `pi/2`.
  def atan (x: f16) : f16 = narrow_f16 (atan_f32 (widen_f16 x))

  -- | `sin` of an angle in half turns.
  def sinpi (x: f16) : f16 = narrow_f16 (sinpi_f32 (widen_f16 x))

  -- | `cos` of an angle in half turns.
  def cospi (x: f16) : f16 = narrow_f16 (cospi_f32 (widen_f16 x))

  -- | `tan` of an angle in half turns.
  def tanpi (x: f16) : f16 = narrow_f16 (tanpi_f32 (widen_f16 x))

  -- | `asin` in half turns.
  def asinpi (x: f16) : f16 = narrow_f16 (asinpi_f32 (widen_f16 x))

  -- | `acos` in half turns.
  def acospi (x: f16) : f16 = narrow_f16 (acospi_f32 (widen_f16 x))

  -- | `atan` in half turns.
  def atanpi (x: f16) : f16 = narrow_f16 (atanpi_f32 (widen_f16 x))

  -- | The hyperbolic sine.
  def sinh (x: f16) : f16 = narrow_f16 (sinh_f32 (widen_f16 x))

  -- | The hyperbolic cosine.
  def cosh (x: f16) : f16 = narrow_f16 (cosh_f32 (widen_f16 x))

  -- | The hyperbolic tangent.
  def tanh (x: f16) : f16 = narrow_f16 (tanh_f32 (widen_f16 x))

  -- | The inverse of `sinh`.
  def asinh (x: f16) : f16 = narrow_f16 (asinh_f32 (widen_f16 x))

  -- | The inverse of `cosh`.
  def acosh (x: f16) : f16 = narrow_f16 (acosh_f32 (widen_f16 x))

  -- | The inverse of `tanh`.
  def atanh (x: f16) : f16 = narrow_f16 (atanh_f32 (widen_f16 x))

  -- | The gamma function, `(x - 1)!` at positive integers.
  def gamma (x: f16) : f16 = narrow_f16 (gamma_f32 (widen_f16 x))

  -- | The logarithm of the magnitude of the gamma function.
  def lgamma (x: f16) : f16 = narrow_f16 (lgamma_f32 (widen_f16 x))

  -- | The error function.
  def erf (x: f16) : f16 = narrow_f16 (erf_f32 (widen_f16 x))

  -- | `1 - erf x`, precise where that is small.
  def erfc (x: f16) : f16 = narrow_f16 (erfc_f32 (widen_f16 x))

  -- | The angle of the point `(x, y)`, between `-pi` and `pi`.
  def atan2 (y: f16) (x: f16) : f16 =
    narrow_f16 (atan2_f32 (widen_f16 y) (widen_f16 x))

  -- | `atan2` in half turns.
  def atan2pi (y: f16) (x: f16) : f16 =
    narrow_f16 (atan2pi_f32 (widen_f16 y) (widen_f16 x))

  -- | `sqrt (x^2 + y^2)` without overflow on the way.
  def hypot (x: f16) (y: f16) : f16 =
    narrow_f16 (hypot_f32 (widen_f16 x) (widen_f16 y))

  -- | `x * y + z`, rounded once.
  def fma (x: f16) (y: f16) (z: f16) : f16 =
    narrow_f16 (fma_f32 (widen_f16 x) (widen_f16 y) (widen_f16 z))

  -- | `x * 2^n`, rounded once.
  def ldexp (x: f16) (n: i32) : f16 = narrow_f16 (ldexp_f32 (widen_f16 x) n)

  -- | The magnitude of the first number with the sign of the second.
  def copysign (x: f16) (y: f16) : f16 = copysign_f16 x y

  -- | The next number after the first in the direction of the second.
  def nextafter (x: f16) (y: f16) : f16 = nextafter_f16 x y

  -- | The bit at a position, counted from the lowest.
  def get_bit (bit: i32) (x: f16) : i32 = get_bit_f16 bit x

  -- | The value with the bit at a position replaced.
  def set_bit (bit: i32) (x: f16) (b: i32) : f16 = set_bit_f16 bit x b
}

-- | Operations on `f32`.
module f32 = {
  open f32

  -- | The exponential function.
  def exp (x: f32) : f32 = exp_f32 x

  -- | The natural logarithm.
  def log (x: f32) : f32 = log_f32 x

  -- | The logarithm to base 2.
  def log2 (x: f32) : f32 = log2_f32 x

  -- | The logarithm to base 10.
  def log10 (x: f32) : f32 = log10_f32 x

  -- | `log (1 + x)`, precise for small `x`.
  def log1p (x: f32) : f32 = log1p_f32 x

  -- | The cube root.
  def cbrt (x: f32) : f32 = cbrt_f32 x

  -- | One divided by the square root.
  def rsqrt (x: f32) : f32 = rsqrt_f32 x

  -- | The sine of an angle in radians.
  def sin (x: f32) : f32 = sin_f32 x

  -- | The cosine of an angle in radians.
  def cos (x: f32) : f32 = cos_f32 x

  -- | The tangent of an angle in radians.
  def tan (x: f32) : f32 = tan_f32 x

  -- | The angle with a sine, between `-pi/2` and `pi/2`.
  def asin (x: f32) : f32 = asin_f32 x

  -- | The angle with a cosine, between 0 and `pi`.
  def acos (x: f32) : f32 = acos_f32 x

  -- | The angle with a tangent, between `-pi/2` and `pi/2`.
  def atan (x: f32) : f32 = atan_f32 x

  -- | `sin` of an angle in half turns.
  def sinpi (x: f32) : f32 = sinpi_f32 x

  -- | `cos` of an angle in half turns.
  def cospi (x: f32) : f32 = cospi_f32 x

  -- | `tan` of an angle in half turns.
  def tanpi (x: f32) : f32 = tanpi_f32 x

  -- | `asin` in half turns.
  def asinpi (x: f32) : f32 = asinpi_f32 x

  -- | `acos` in half turns.
  def acospi (x: f32) : f32 = acospi_f32 x

  -- | `atan` in half turns.
  def atanpi (x: f32) : f32 = atanpi_f32 x

  -- | The hyperbolic sine.
  def sinh (x: f32) : f32 = sinh_f32 x

  -- | The hyperbolic cosine.
  def cosh (x: f32) : f32 = cosh_f32 x

  -- | The hyperbolic tangent.
  def tanh (x: f32) : f32 = tanh_f32 x

  -- | The inverse of `sinh`.
  def asinh (x: f32) : f32 = asinh_f32 x

  -- | The inverse of `cosh`.
  def acosh (x: f32) : f32 = acosh_f32 x

  -- | The inverse of `tanh`.
  def atanh (x: f32) : f32 = atanh_f32 x

  -- | The gamma function, `(x - 1)!` at positive integers.
  def gamma (x: f32) : f32 = gamma_f32 x

  -- | The logarithm of the magnitude of the gamma function.
  def lgamma (x: f32) : f32 = lgamma_f32 x

  -- | The error function.
  def erf (x: f32) : f32 = erf_f32 x

  -- | `1 - erf x`, precise where that is small.
  def erfc (x: f32) : f32 = erfc_f32 x

  -- | The angle of the point `(x, y)`, between `-pi` and `pi`.
  def atan2 (y: f32) (x: f32) : f32 = atan2_f32 y x

  -- | `atan2` in half turns.
  def atan2pi (y: f32) (x: f32) : f32 = atan2pi_f32 y x

  -- | `sqrt (x^2 + y^2)` without overflow on the way.
  def hypot (x: f32) (y: f32) : f32 = hypot_f32 x y

  -- | `x * y + z`, rounded once.
  def fma (x: f32) (y: f32) (z: f32) : f32 = fma_f32 x y z

  -- | `x * 2^n`, rounded once.
  def ldexp (x: f32) (n: i32) : f32 = ldexp_f32 x n

  -- | The magnitude of the first number with the sign of the second.
  def copysign (x: f32) (y: f32) : f32 = copysign_f32 x y

  -- | The next number after the first in the direction of the second.
  def nextafter (x: f32) (y: f32) : f32 = nextafter_f32 x y

  -- | The bit at a position, counted from the lowest.
  def get_bit (bit: i32) (x: f32) : i32 = get_bit_f32 bit x

  -- | The value with the bit at a position replaced.
  def set_bit (bit: i32) (x: f32) (b: i32) : f32 = set_bit_f32 bit x b
}

-- | Operations on `f64`.
module f64 = {
  open f64

  -- | The exponential function.
  def exp (x: f64) : f64 = exp_f64 x

  -- | The natural logarithm.
  def log (x: f64) : f64 = log_f64 x

  -- | The logarithm to base 2.
  def log2 (x: f64) : f64 = log2_f64 x

  -- | The logarithm to base 10.
  def log10 (x: f64) : f64 = log10_f64 x

  -- | `log (1 + x)`, precise for small `x`.
  def log1p (x: f64) : f64 = log1p_f64 x

  -- | The cube root.
  def cbrt (x: f64) : f64 = cbrt_f64 x

  -- | One divided by the square root.
  def rsqrt (x: f64) : f64 = rsqrt_f64 x

  -- | The sine of an angle in radians.
  def sin (x: f64) : f64 = sin_f64 x

  -- | The cosine of an angle in radians.
  def cos (x: f64) : f64 = cos_f64 x

  -- | The tangent of an angle in radians.
  def tan (x: f64) : f64 = tan_f64 x

  -- | The angle with a sine, between `-pi/2` and `pi/2`.
  def asin (x: f64) : f64 = asin_f64 x

  -- | The angle with a cosine, between 0 and `pi`.
  def acos (x: f64) : f64 = acos_f64 x

  -- | The angle with a tangent, between `-pi/2` and `pi/2`.
  def atan (x: f64) : f64 = atan_f64 x

  -- | `sin` of an angle in half turns.
  def sinpi (x: f64) : f64 = sinpi_f64 x

  -- | `cos` of an angle in half turns.
  def cospi (x: f64) : f64 = cospi_f64 x

  -- | `tan` of an angle in half turns.
  def tanpi (x: f64) : f64 = tanpi_f64 x

  -- | `asin` in half turns.
  def asinpi (x: f64) : f64 = asinpi_f64 x

  -- | `acos` in half turns.
  def acospi (x: f64) : f64 = acospi_f64 x

  -- | `atan` in half turns.
  def atanpi (x: f64) : f64 = atanpi_f64 x

  -- | The hyperbolic sine.
  def sinh (x: f64) : f64 = sinh_f64 x

  -- | The hyperbolic cosine.
  def cosh (x: f64) : f64 = cosh_f64 x

  -- | The hyperbolic tangent.
  def tanh (x: f64) : f64 = tanh_f64 x

  -- | The inverse of `sinh`.
  def asinh (x: f64) : f64 = asinh_f64 x

  -- | The inverse of `cosh`.
  def acosh (x: f64) : f64 = acosh_f64 x

  -- | The inverse of `tanh`.
  def atanh (x: f64) : f64 = atanh_f64 x

  -- | The gamma function, `(x - 1)!` at positive integers.
  def gamma (x: f64) : f64 = gamma_f64 x

  -- | The logarithm of the magnitude of the gamma function.
  def lgamma (x: f64) : f64 = lgamma_f64 x

  -- | The error function.
  def erf (x: f64) : f64 = erf_f64 x

  -- | `1 - erf x`, precise where that is small.
  def erfc (x: f64) : f64 = erfc_f64 x

  -- | The angle of the point `(x, y)`, between `-pi` and `pi`.
  def atan2 (y: f64) (x: f64) : f64 = atan2_f64 y x

  -- | `atan2` in half turns.
  def atan2pi (y: f64) (x: f64) : f64 = atan2pi_f64 y x

  -- | `sqrt (x^2 + y^2)` without overflow on the way.
  def hypot (x: f64) (y: f64) : f64 = hypot_f64 x y

  -- | `x * 2^n`, rounded once.
  def ldexp (x: f64) (n: i32) : f64 = ldexp_f64 x n

  -- | The magnitude of the first number with the sign of the second.
  def copysign (x: f64) (y: f64) : f64 = copysign_f64 x y

  -- | The next number after the first in the direction of the second.
  def nextafter (x: f64) (y: f64) : f64 = nextafter_f64 x y

  -- | The bit at a position, counted from the lowest.
  def get_bit (bit: i32) (x: f64) : i32 = get_bit_f64 bit x

  -- | The value with the bit at a position replaced.
  def set_bit (bit: i32) (x: f64) (b: i32) : f64 = set_bit_f64 bit x b
}
