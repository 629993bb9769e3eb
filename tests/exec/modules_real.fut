-- Complex numbers over `real`.
-- tolerance: 1e-6
-- ==
-- input { 1f64 2f64 } output { -3f64 4f64 2.2360679774997898f64 }
module type complex = {
  type real
  type complex
  val mk : real -> real -> complex
  val mk_re : real -> complex
  val mk_im : real -> complex
  val conj : complex -> complex
  val re : complex -> real
  val im : complex -> real
  val mag : complex -> real
  val arg : complex -> real
  val + : complex -> complex -> complex
  val - : complex -> complex -> complex
  val * : complex -> complex -> complex
  val / : complex -> complex -> complex
  val sqrt : complex -> complex
  val exp : complex -> complex
  val log : complex -> complex
}

module mk_complex (T: real) : (complex with real = T.t with complex = (T.t, T.t)) = {
  type real = T.t
  type complex = (T.t, T.t)
  def mk (a: real) (b: real) = (a, b)
  def mk_re (a: real) = (a, T.i32 0)
  def mk_im (b: real) = (T.i32 0, b)
  def conj ((a, b): complex) = T.((a, i32 0 - b))
  def re ((a, _b): complex) = a
  def im ((_a, b): complex) = b
  def ((a, b): complex) + ((c, d): complex) = T.((a + c, b + d))
  def ((a, b): complex) - ((c, d): complex) = T.((a - c, b - d))
  def ((a, b): complex) * ((c, d): complex) = T.((a * c - b * d, b * c + a * d))

  def ((a, b): complex) / ((c, d): complex) =
    T.(((a * c + b * d) / (c * c + d * d), (b * c - a * d) / (c * c + d * d)))

  def mag ((a, b): complex) = T.(sqrt (a * a + b * b))
  def arg ((a, b): complex) = T.atan2 b a

  def sqrt ((a, b): complex) =
    let gamma = T.(sqrt ((a + sqrt (a * a + b * b)) / i32 2))
    let delta = T.(sgn b * sqrt (((i32 0 - a) + sqrt (a * a + b * b)) / i32 2))
    in (gamma, delta)

  def exp ((a, b): complex) = let expx = T.exp a in mk T.(expx * cos b) T.(expx * sin b)
  def log (z: complex) = mk (T.log (mag z)) (arg z)
}

module c64 = mk_complex f64
type c = c64.complex

entry main (a: f64) (b: f64) =
  let z: c = c64.mk a b
  let (x, y) = z c64.* z
  in (x, y, c64.mag z)
