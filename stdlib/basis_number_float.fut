-- The float modules without the elementary functions, which math_modules.fut adds.

-- | Operations on `f16`.
module f16 = {
  -- | The type itself.
  type t = f16

  -- | The integers that hold its bits.
  type int_t = u16

  -- | The nearest number to a value of type `i8`, ties to even.
  val i8 : i8 -> f16

  -- | The nearest number to a value of type `i16`, ties to even.
  val i16 : i16 -> f16

  -- | The nearest number to a value of type `i32`, ties to even.
  val i32 : i32 -> f16

  -- | The nearest number to a value of type `i64`, ties to even.
  val i64 : i64 -> f16

  -- | The nearest number to a value of type `u8`, ties to even.
  val u8 : u8 -> f16

  -- | The nearest number to a value of type `u16`, ties to even.
  val u16 : u16 -> f16

  -- | The nearest number to a value of type `u32`, ties to even.
  val u32 : u32 -> f16

  -- | The nearest number to a value of type `u64`, ties to even.
  val u64 : u64 -> f16

  -- | The value itself.
  val f16 : f16 -> f16

  -- | The nearest number to a value of type `f32`, ties to even.
  val f32 : f32 -> f16

  -- | The nearest number to a value of type `f64`, ties to even.
  val f64 : f64 -> f16

  -- | One for `true`, zero for `false`.
  val bool : bool -> f16

  -- | The value cut to an `i64`; kept within the range, NaN gives zero.
  val to_i64 : f16 -> i64

  -- | The value as an `f64`.
  val to_f64 : f16 -> f64

  -- | Addition.
  val (+) : f16 -> f16 -> f16

  -- | Subtraction.
  val (-) : f16 -> f16 -> f16

  -- | Multiplication.
  val (*) : f16 -> f16 -> f16

  -- | Division.
  val (/) : f16 -> f16 -> f16

  -- | The remainder with the sign of the dividend, exact.
  val (%) : f16 -> f16 -> f16

  -- | Power.
  val (**) : f16 -> f16 -> f16

  -- | Whether the values are equal.
  val (==) : f16 -> f16 -> bool

  -- | Whether the values differ.
  val (!=) : f16 -> f16 -> bool

  -- | Whether the first is smaller.
  val (<) : f16 -> f16 -> bool

  -- | Whether the first is not greater.
  val (<=) : f16 -> f16 -> bool

  -- | Whether the first is greater.
  val (>) : f16 -> f16 -> bool

  -- | Whether the first is not smaller.
  val (>=) : f16 -> f16 -> bool

  -- | The negative.
  val neg : f16 -> f16

  -- | The magnitude.
  val abs : f16 -> f16

  -- | -1, 0 or 1, by the sign.
  val sgn : f16 -> f16

  -- | The smaller one; a NaN loses.
  val min : f16 -> f16 -> f16

  -- | The greater one; a NaN loses.
  val max : f16 -> f16 -> f16

  -- | The square root, correctly rounded.
  val sqrt : f16 -> f16

  -- | The greatest integer not above.
  val floor : f16 -> f16

  -- | The smallest integer not below.
  val ceil : f16 -> f16

  -- | The nearest integer, ties to even.
  val round : f16 -> f16

  -- | Whether the value is not a number.
  val isnan : f16 -> bool

  -- | Whether the value is infinite.
  val isinf : f16 -> bool

  -- | The bits of the IEEE 754 format.
  val to_bits : f16 -> u16

  -- | The value with the given IEEE 754 bits.
  val from_bits : u16 -> f16

  -- | The number of bits.
  def num_bits : i32 = 16

  -- | Positive infinity.
  def inf : f16 = 1 / 0

  -- | Not a number.
  def nan : f16 = 0 / 0

  -- | The integer part, never minus zero; 0 of infinities and NaN.
  def trunc (x: f16) : f16 =
    let size = floor (abs x)
    in if abs x < inf then (if x < 0 then 0 - size else size) else 0

  -- | The greatest value: infinity.
  def highest : f16 = inf

  -- | The smallest value: minus infinity.
  def lowest : f16 = -inf

  -- | The circumference of the unit circle, halved.
  def pi : f16 = 3.141592653589793238

  -- | Euler's number.
  def e : f16 = 2.718281828459045235

  -- | The distance from one to the next greater number.
  def epsilon : f16 = 1.1920929e-7

  -- | One divided by the value.
  def recip (x: f16) : f16 = 1 / x

  -- | `x * y + z`, rounded twice.
  def mad (x: f16) (y: f16) (z: f16) : f16 = x * y + z

  -- | From `x` to `y` in proportion `s`.
  def lerp (x: f16) (y: f16) (s: f16) : f16 = x + (y - x) * s

  -- | The quotient of two integers.
  def from_fraction (p: i64) (q: i64) : f16 = i64 p / i64 q

  -- | The sum of all elements.
  def sum [n] (xs: [n]f16) : f16 = reduce (+) 0 xs

  -- | The product of all elements.
  def product [n] (xs: [n]f16) : f16 = reduce (*) 1 xs

  -- | The greatest element; `lowest` if there is none.
  def maximum [n] (xs: [n]f16) : f16 = reduce_comm max lowest xs

  -- | The smallest element; `highest` if there is none.
  def minimum [n] (xs: [n]f16) : f16 = reduce_comm min highest xs
}

-- | Operations on `f32`.
module f32 = {
  -- | The type itself.
  type t = f32

  -- | The integers that hold its bits.
  type int_t = u32

  -- | The nearest number to a value of type `i8`, ties to even.
  val i8 : i8 -> f32

  -- | The nearest number to a value of type `i16`, ties to even.
  val i16 : i16 -> f32

  -- | The nearest number to a value of type `i32`, ties to even.
  val i32 : i32 -> f32

  -- | The nearest number to a value of type `i64`, ties to even.
  val i64 : i64 -> f32

  -- | The nearest number to a value of type `u8`, ties to even.
  val u8 : u8 -> f32

  -- | The nearest number to a value of type `u16`, ties to even.
  val u16 : u16 -> f32

  -- | The nearest number to a value of type `u32`, ties to even.
  val u32 : u32 -> f32

  -- | The nearest number to a value of type `u64`, ties to even.
  val u64 : u64 -> f32

  -- | The nearest number to a value of type `f16`, ties to even.
  val f16 : f16 -> f32

  -- | The value itself.
  val f32 : f32 -> f32

  -- | The nearest number to a value of type `f64`, ties to even.
  val f64 : f64 -> f32

  -- | One for `true`, zero for `false`.
  val bool : bool -> f32

  -- | The value cut to an `i64`; kept within the range, NaN gives zero.
  val to_i64 : f32 -> i64

  -- | The value as an `f64`.
  val to_f64 : f32 -> f64

  -- | Addition.
  val (+) : f32 -> f32 -> f32

  -- | Subtraction.
  val (-) : f32 -> f32 -> f32

  -- | Multiplication.
  val (*) : f32 -> f32 -> f32

  -- | Division.
  val (/) : f32 -> f32 -> f32

  -- | The remainder with the sign of the dividend, exact.
  val (%) : f32 -> f32 -> f32

  -- | Power.
  val (**) : f32 -> f32 -> f32

  -- | Whether the values are equal.
  val (==) : f32 -> f32 -> bool

  -- | Whether the values differ.
  val (!=) : f32 -> f32 -> bool

  -- | Whether the first is smaller.
  val (<) : f32 -> f32 -> bool

  -- | Whether the first is not greater.
  val (<=) : f32 -> f32 -> bool

  -- | Whether the first is greater.
  val (>) : f32 -> f32 -> bool

  -- | Whether the first is not smaller.
  val (>=) : f32 -> f32 -> bool

  -- | The negative.
  val neg : f32 -> f32

  -- | The magnitude.
  val abs : f32 -> f32

  -- | -1, 0 or 1, by the sign.
  val sgn : f32 -> f32

  -- | The smaller one; a NaN loses.
  val min : f32 -> f32 -> f32

  -- | The greater one; a NaN loses.
  val max : f32 -> f32 -> f32

  -- | The square root, correctly rounded.
  val sqrt : f32 -> f32

  -- | `x * y + z`, rounded once; devices may take tiny operands and results for zero.
  val fma : f32 -> f32 -> f32 -> f32

  -- | The greatest integer not above.
  val floor : f32 -> f32

  -- | The smallest integer not below.
  val ceil : f32 -> f32

  -- | The nearest integer, ties to even.
  val round : f32 -> f32

  -- | Whether the value is not a number.
  val isnan : f32 -> bool

  -- | Whether the value is infinite.
  val isinf : f32 -> bool

  -- | The bits of the IEEE 754 format.
  val to_bits : f32 -> u32

  -- | The value with the given IEEE 754 bits.
  val from_bits : u32 -> f32

  -- | The number of bits.
  def num_bits : i32 = 32

  -- | Positive infinity.
  def inf : f32 = 1 / 0

  -- | Not a number.
  def nan : f32 = 0 / 0

  -- | The integer part, never minus zero; 0 of infinities and NaN.
  def trunc (x: f32) : f32 =
    let size = floor (abs x)
    in if abs x < inf then (if x < 0 then 0 - size else size) else 0

  -- | The greatest value: infinity.
  def highest : f32 = inf

  -- | The smallest value: minus infinity.
  def lowest : f32 = -inf

  -- | The circumference of the unit circle, halved.
  def pi : f32 = 3.141592653589793238

  -- | Euler's number.
  def e : f32 = 2.718281828459045235

  -- | The distance from one to the next greater number.
  def epsilon : f32 = 1.1920929e-7

  -- | One divided by the value.
  def recip (x: f32) : f32 = 1 / x

  -- | `x * y + z`, rounded twice.
  def mad (x: f32) (y: f32) (z: f32) : f32 = x * y + z

  -- | From `x` to `y` in proportion `s`.
  def lerp (x: f32) (y: f32) (s: f32) : f32 = x + (y - x) * s

  -- | The quotient of two integers.
  def from_fraction (p: i64) (q: i64) : f32 = i64 p / i64 q

  -- | The sum of all elements.
  def sum [n] (xs: [n]f32) : f32 = reduce (+) 0 xs

  -- | The product of all elements.
  def product [n] (xs: [n]f32) : f32 = reduce (*) 1 xs

  -- | The greatest element; `lowest` if there is none.
  def maximum [n] (xs: [n]f32) : f32 = reduce_comm max lowest xs

  -- | The smallest element; `highest` if there is none.
  def minimum [n] (xs: [n]f32) : f32 = reduce_comm min highest xs
}

-- | Operations on `f64`.
module f64 = {
  -- | The type itself.
  type t = f64

  -- | The integers that hold its bits.
  type int_t = u64

  -- | The nearest number to a value of type `i8`, ties to even.
  val i8 : i8 -> f64

  -- | The nearest number to a value of type `i16`, ties to even.
  val i16 : i16 -> f64

  -- | The nearest number to a value of type `i32`, ties to even.
  val i32 : i32 -> f64

  -- | The nearest number to a value of type `i64`, ties to even.
  val i64 : i64 -> f64

  -- | The nearest number to a value of type `u8`, ties to even.
  val u8 : u8 -> f64

  -- | The nearest number to a value of type `u16`, ties to even.
  val u16 : u16 -> f64

  -- | The nearest number to a value of type `u32`, ties to even.
  val u32 : u32 -> f64

  -- | The nearest number to a value of type `u64`, ties to even.
  val u64 : u64 -> f64

  -- | The nearest number to a value of type `f16`, ties to even.
  val f16 : f16 -> f64

  -- | The nearest number to a value of type `f32`, ties to even.
  val f32 : f32 -> f64

  -- | The value itself.
  val f64 : f64 -> f64

  -- | One for `true`, zero for `false`.
  val bool : bool -> f64

  -- | The value cut to an `i64`; kept within the range, NaN gives zero.
  val to_i64 : f64 -> i64

  -- | The value as an `f64`.
  val to_f64 : f64 -> f64

  -- | Addition.
  val (+) : f64 -> f64 -> f64

  -- | Subtraction.
  val (-) : f64 -> f64 -> f64

  -- | Multiplication.
  val (*) : f64 -> f64 -> f64

  -- | Division.
  val (/) : f64 -> f64 -> f64

  -- | The remainder with the sign of the dividend, exact.
  val (%) : f64 -> f64 -> f64

  -- | Power.
  val (**) : f64 -> f64 -> f64

  -- | Whether the values are equal.
  val (==) : f64 -> f64 -> bool

  -- | Whether the values differ.
  val (!=) : f64 -> f64 -> bool

  -- | Whether the first is smaller.
  val (<) : f64 -> f64 -> bool

  -- | Whether the first is not greater.
  val (<=) : f64 -> f64 -> bool

  -- | Whether the first is greater.
  val (>) : f64 -> f64 -> bool

  -- | Whether the first is not smaller.
  val (>=) : f64 -> f64 -> bool

  -- | The negative.
  val neg : f64 -> f64

  -- | The magnitude.
  val abs : f64 -> f64

  -- | -1, 0 or 1, by the sign.
  val sgn : f64 -> f64

  -- | The smaller one; a NaN loses.
  val min : f64 -> f64 -> f64

  -- | The greater one; a NaN loses.
  val max : f64 -> f64 -> f64

  -- | The square root, correctly rounded.
  val sqrt : f64 -> f64

  -- | `x * y + z`, rounded once.
  val fma : f64 -> f64 -> f64 -> f64

  -- | The greatest integer not above.
  val floor : f64 -> f64

  -- | The smallest integer not below.
  val ceil : f64 -> f64

  -- | The nearest integer, ties to even.
  val round : f64 -> f64

  -- | Whether the value is not a number.
  val isnan : f64 -> bool

  -- | Whether the value is infinite.
  val isinf : f64 -> bool

  -- | The bits of the IEEE 754 format.
  val to_bits : f64 -> u64

  -- | The value with the given IEEE 754 bits.
  val from_bits : u64 -> f64

  -- | The number of bits.
  def num_bits : i32 = 64

  -- | Positive infinity.
  def inf : f64 = 1 / 0

  -- | Not a number.
  def nan : f64 = 0 / 0

  -- | The integer part, never minus zero; 0 of infinities and NaN.
  def trunc (x: f64) : f64 =
    let size = floor (abs x)
    in if abs x < inf then (if x < 0 then 0 - size else size) else 0

  -- | The greatest value: infinity.
  def highest : f64 = inf

  -- | The smallest value: minus infinity.
  def lowest : f64 = -inf

  -- | The circumference of the unit circle, halved.
  def pi : f64 = 3.141592653589793238

  -- | Euler's number.
  def e : f64 = 2.718281828459045235

  -- | The distance from one to the next greater number.
  def epsilon : f64 = 2.220446049250313e-16

  -- | One divided by the value.
  def recip (x: f64) : f64 = 1 / x

  -- | `x * y + z`, rounded twice.
  def mad (x: f64) (y: f64) (z: f64) : f64 = x * y + z

  -- | From `x` to `y` in proportion `s`.
  def lerp (x: f64) (y: f64) (s: f64) : f64 = x + (y - x) * s

  -- | The quotient of two integers.
  def from_fraction (p: i64) (q: i64) : f64 = i64 p / i64 q

  -- | The sum of all elements.
  def sum [n] (xs: [n]f64) : f64 = reduce (+) 0 xs

  -- | The product of all elements.
  def product [n] (xs: [n]f64) : f64 = reduce (*) 1 xs

  -- | The greatest element; `lowest` if there is none.
  def maximum [n] (xs: [n]f64) : f64 = reduce_comm max lowest xs

  -- | The smallest element; `highest` if there is none.
  def minimum [n] (xs: [n]f64) : f64 = reduce_comm min highest xs
}

-- | An `i32` as the nearest `f32`.
def r32 (x: i32) : f32 = f32.i32 x

-- | An `f32` cut to an `i32`.
def t32 (x: f32) : i32 = i32.f32 x

-- | An `i32` as an `f64`.
def r64 (x: i32) : f64 = f64.i32 x

-- | An `f64` cut to an `i32`.
def t64 (x: f64) : i32 = i32.f64 x
