-- The float modules in full: what basis_number.fut has, and the functions of math_f32.fut and
-- math_f64.fut under their usual names.

-- | Operations on `f32`.
module f32 = {
  open f32

  -- | The exponential function.
  def exp (x: f32): f32 = exp_f32 x

  -- | The natural logarithm.
  def log (x: f32): f32 = log_f32 x

  -- | The sine of an angle in radians.
  def sin (x: f32): f32 = sin_f32 x

  -- | The cosine of an angle in radians.
  def cos (x: f32): f32 = cos_f32 x
}

-- | Operations on `f64`.
module f64 = {
  open f64

  -- | The exponential function.
  def exp (x: f64): f64 = exp_f64 x

  -- | The natural logarithm.
  def log (x: f64): f64 = log_f64 x

  -- | The sine of an angle in radians.
  def sin (x: f64): f64 = sin_f64 x

  -- | The cosine of an angle in radians.
  def cos (x: f64): f64 = cos_f64 x
}
