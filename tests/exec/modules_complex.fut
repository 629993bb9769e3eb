-- Complex numbers over any kind of real numbers, the type abstract but refined.
-- tolerance: exact
-- ==
-- input { 1f32 2f32 3f32 4f32 } output { -5f32 10f32 25f64 }
module type number = {
  type t
  val + : t -> t -> t
  val - : t -> t -> t
  val * : t -> t -> t
  val from_fraction : i64 -> i64 -> t
}

module type complex = {
  type real
  type complex
  val mk : real -> real -> complex
  val re : complex -> real
  val im : complex -> real
  val * : complex -> complex -> complex
  val norm2 : complex -> real
}

module mk_complex (T: number) : complex with real = T.t with complex = (T.t, T.t) = {
  type real = T.t
  type complex = (T.t, T.t)
  def mk (a: real) (b: real) = (a, b)
  def re (a: real, _: real) = a
  def im (_: real, b: real) = b
  def square (x: real) = x T.* x
  def ((a, b): complex) * ((c, d): complex) : complex = T.((a * c - b * d, a * d + b * c))
  def norm2 (z: complex) = square (re z) T.+ square (im z)
}

module f32_number = {
  type t = f32
  def (+) (x: f32) (y: f32) = x f32.+ y
  def (-) (x: f32) (y: f32) = x f32.- y
  def (*) (x: f32) (y: f32) = x f32.* y
  def from_fraction (a: i64) (b: i64) = f32.i64 a / f32.i64 b
}

module f64_number = {
  type t = f64
  def (+) = (f64.+)
  def (-) = (f64.-)
  def (*) = (f64.*)
  def from_fraction a b = f64.i64 a / f64.i64 b
}

module c32 = mk_complex f32_number
module c64 = mk_complex f64_number

entry main (a: f32) (b: f32) (c: f32) (d: f32) =
  let z = c32.mk a b c32.* c32.mk c d
  in (z.0, c32.im z, c64.norm2 (f64_number.from_fraction 6 2, 4))
