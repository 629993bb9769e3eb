-- One module per scalar type: conversions from all types, operators under qualified names, primitives,
-- limits, and reductions. Engines know a `val` by its qualified name.

-- | Operations on `i8`.
module i8 = {
  -- | The type itself.
  type t = i8

  -- | The value itself.
  val i8 : i8 -> i8

  -- | The low bits of a value of type `i16`, sign or zero extended.
  val i16 : i16 -> i8

  -- | The low bits of a value of type `i32`, sign or zero extended.
  val i32 : i32 -> i8

  -- | The low bits of a value of type `i64`, sign or zero extended.
  val i64 : i64 -> i8

  -- | The low bits of a value of type `u8`, sign or zero extended.
  val u8 : u8 -> i8

  -- | The low bits of a value of type `u16`, sign or zero extended.
  val u16 : u16 -> i8

  -- | The low bits of a value of type `u32`, sign or zero extended.
  val u32 : u32 -> i8

  -- | The low bits of a value of type `u64`, sign or zero extended.
  val u64 : u64 -> i8

  -- | A value of type `f16` cut to an integer; kept within the range, NaN gives zero.
  val f16 : f16 -> i8

  -- | A value of type `f32` cut to an integer; kept within the range, NaN gives zero.
  val f32 : f32 -> i8

  -- | A value of type `f64` cut to an integer; kept within the range, NaN gives zero.
  val f64 : f64 -> i8

  -- | One for `true`, zero for `false`.
  val bool : bool -> i8

  -- | The value as an `i64`.
  val to_i64 : i8 -> i64

  -- | Addition; wraps around.
  val (+) : i8 -> i8 -> i8

  -- | Subtraction; wraps around.
  val (-) : i8 -> i8 -> i8

  -- | Multiplication; wraps around.
  val (*) : i8 -> i8 -> i8

  -- | Division, rounded to minus infinity.
  val (/) : i8 -> i8 -> i8

  -- | The remainder with the sign of the divisor.
  val (%) : i8 -> i8 -> i8

  -- | Division, rounded to zero.
  val (//) : i8 -> i8 -> i8

  -- | The remainder with the sign of the dividend.
  val (%%) : i8 -> i8 -> i8

  -- | Power; wraps around, a negative exponent is an error.
  val (**) : i8 -> i8 -> i8

  -- | Bitwise and.
  val (&) : i8 -> i8 -> i8

  -- | Bitwise or.
  val (|) : i8 -> i8 -> i8

  -- | Bitwise exclusive or.
  val (^) : i8 -> i8 -> i8

  -- | Shift to the left; by the width or more gives zero.
  val (<<) : i8 -> i8 -> i8

  -- | Shift to the right; fills with the sign.
  val (>>) : i8 -> i8 -> i8

  -- | Shift to the right; fills with zeros.
  val (>>>) : i8 -> i8 -> i8

  -- | Whether the values are equal.
  val (==) : i8 -> i8 -> bool

  -- | Whether the values differ.
  val (!=) : i8 -> i8 -> bool

  -- | Whether the first is smaller.
  val (<) : i8 -> i8 -> bool

  -- | Whether the first is not greater.
  val (<=) : i8 -> i8 -> bool

  -- | Whether the first is greater.
  val (>) : i8 -> i8 -> bool

  -- | Whether the first is not smaller.
  val (>=) : i8 -> i8 -> bool

  -- | The negative.
  val neg : i8 -> i8

  -- | The magnitude.
  val abs : i8 -> i8

  -- | -1, 0 or 1, by the sign.
  val sgn : i8 -> i8

  -- | The smaller one.
  val min : i8 -> i8 -> i8

  -- | The greater one.
  val max : i8 -> i8 -> i8

  -- | Every bit inverted.
  val not : i8 -> i8

  -- | The number of one bits.
  val popc : i8 -> i32

  -- | The number of zero bits above the highest one bit.
  val clz : i8 -> i32

  -- | The number of zero bits below the lowest one bit.
  val ctz : i8 -> i32

  -- | The upper half of the full product.
  val mul_hi : i8 -> i8 -> i8

  -- | `mul_hi x y + z`.
  def mad_hi (x: i8) (y: i8) (z: i8) : i8 = mul_hi x y + z

  -- | The number of bits.
  def num_bits : i32 = 8

  -- | The bit at a position, counted from the lowest.
  def get_bit (bit: i32) (x: i8) : i32 = if (x >>> i32 bit) & 1 == 1 then 1 else 0

  -- | The value with the bit at a position replaced.
  def set_bit (bit: i32) (x: i8) (b: i32) : i8 = (x & not (1 << i32 bit)) | (i32 b << i32 bit)

  -- | The greatest value.
  def highest : i8 = 127

  -- | The smallest value.
  def lowest : i8 = -127 - 1

  -- | The sum of all elements.
  def sum [n] (xs: [n]i8) : i8 = reduce (+) 0 xs

  -- | The product of all elements.
  def product [n] (xs: [n]i8) : i8 = reduce (*) 1 xs

  -- | The greatest element; `lowest` if there is none.
  def maximum [n] (xs: [n]i8) : i8 = reduce_comm max lowest xs

  -- | The smallest element; `highest` if there is none.
  def minimum [n] (xs: [n]i8) : i8 = reduce_comm min highest xs
}

-- | Operations on `i16`.
module i16 = {
  -- | The type itself.
  type t = i16

  -- | The low bits of a value of type `i8`, sign or zero extended.
  val i8 : i8 -> i16

  -- | The value itself.
  val i16 : i16 -> i16

  -- | The low bits of a value of type `i32`, sign or zero extended.
  val i32 : i32 -> i16

  -- | The low bits of a value of type `i64`, sign or zero extended.
  val i64 : i64 -> i16

  -- | The low bits of a value of type `u8`, sign or zero extended.
  val u8 : u8 -> i16

  -- | The low bits of a value of type `u16`, sign or zero extended.
  val u16 : u16 -> i16

  -- | The low bits of a value of type `u32`, sign or zero extended.
  val u32 : u32 -> i16

  -- | The low bits of a value of type `u64`, sign or zero extended.
  val u64 : u64 -> i16

  -- | A value of type `f16` cut to an integer; kept within the range, NaN gives zero.
  val f16 : f16 -> i16

  -- | A value of type `f32` cut to an integer; kept within the range, NaN gives zero.
  val f32 : f32 -> i16

  -- | A value of type `f64` cut to an integer; kept within the range, NaN gives zero.
  val f64 : f64 -> i16

  -- | One for `true`, zero for `false`.
  val bool : bool -> i16

  -- | The value as an `i64`.
  val to_i64 : i16 -> i64

  -- | Addition; wraps around.
  val (+) : i16 -> i16 -> i16

  -- | Subtraction; wraps around.
  val (-) : i16 -> i16 -> i16

  -- | Multiplication; wraps around.
  val (*) : i16 -> i16 -> i16

  -- | Division, rounded to minus infinity.
  val (/) : i16 -> i16 -> i16

  -- | The remainder with the sign of the divisor.
  val (%) : i16 -> i16 -> i16

  -- | Division, rounded to zero.
  val (//) : i16 -> i16 -> i16

  -- | The remainder with the sign of the dividend.
  val (%%) : i16 -> i16 -> i16

  -- | Power; wraps around, a negative exponent is an error.
  val (**) : i16 -> i16 -> i16

  -- | Bitwise and.
  val (&) : i16 -> i16 -> i16

  -- | Bitwise or.
  val (|) : i16 -> i16 -> i16

  -- | Bitwise exclusive or.
  val (^) : i16 -> i16 -> i16

  -- | Shift to the left; by the width or more gives zero.
  val (<<) : i16 -> i16 -> i16

  -- | Shift to the right; fills with the sign.
  val (>>) : i16 -> i16 -> i16

  -- | Shift to the right; fills with zeros.
  val (>>>) : i16 -> i16 -> i16

  -- | Whether the values are equal.
  val (==) : i16 -> i16 -> bool

  -- | Whether the values differ.
  val (!=) : i16 -> i16 -> bool

  -- | Whether the first is smaller.
  val (<) : i16 -> i16 -> bool

  -- | Whether the first is not greater.
  val (<=) : i16 -> i16 -> bool

  -- | Whether the first is greater.
  val (>) : i16 -> i16 -> bool

  -- | Whether the first is not smaller.
  val (>=) : i16 -> i16 -> bool

  -- | The negative.
  val neg : i16 -> i16

  -- | The magnitude.
  val abs : i16 -> i16

  -- | -1, 0 or 1, by the sign.
  val sgn : i16 -> i16

  -- | The smaller one.
  val min : i16 -> i16 -> i16

  -- | The greater one.
  val max : i16 -> i16 -> i16

  -- | Every bit inverted.
  val not : i16 -> i16

  -- | The number of one bits.
  val popc : i16 -> i32

  -- | The number of zero bits above the highest one bit.
  val clz : i16 -> i32

  -- | The number of zero bits below the lowest one bit.
  val ctz : i16 -> i32

  -- | The upper half of the full product.
  val mul_hi : i16 -> i16 -> i16

  -- | `mul_hi x y + z`.
  def mad_hi (x: i16) (y: i16) (z: i16) : i16 = mul_hi x y + z

  -- | The number of bits.
  def num_bits : i32 = 16

  -- | The bit at a position, counted from the lowest.
  def get_bit (bit: i32) (x: i16) : i32 = if (x >>> i32 bit) & 1 == 1 then 1 else 0

  -- | The value with the bit at a position replaced.
  def set_bit (bit: i32) (x: i16) (b: i32) : i16 = (x & not (1 << i32 bit)) | (i32 b << i32 bit)

  -- | The greatest value.
  def highest : i16 = 32767

  -- | The smallest value.
  def lowest : i16 = -32767 - 1

  -- | The sum of all elements.
  def sum [n] (xs: [n]i16) : i16 = reduce (+) 0 xs

  -- | The product of all elements.
  def product [n] (xs: [n]i16) : i16 = reduce (*) 1 xs

  -- | The greatest element; `lowest` if there is none.
  def maximum [n] (xs: [n]i16) : i16 = reduce_comm max lowest xs

  -- | The smallest element; `highest` if there is none.
  def minimum [n] (xs: [n]i16) : i16 = reduce_comm min highest xs
}

-- | Operations on `i32`.
module i32 = {
  -- | The type itself.
  type t = i32

  -- | The low bits of a value of type `i8`, sign or zero extended.
  val i8 : i8 -> i32

  -- | The low bits of a value of type `i16`, sign or zero extended.
  val i16 : i16 -> i32

  -- | The value itself.
  val i32 : i32 -> i32

  -- | The low bits of a value of type `i64`, sign or zero extended.
  val i64 : i64 -> i32

  -- | The low bits of a value of type `u8`, sign or zero extended.
  val u8 : u8 -> i32

  -- | The low bits of a value of type `u16`, sign or zero extended.
  val u16 : u16 -> i32

  -- | The low bits of a value of type `u32`, sign or zero extended.
  val u32 : u32 -> i32

  -- | The low bits of a value of type `u64`, sign or zero extended.
  val u64 : u64 -> i32

  -- | A value of type `f16` cut to an integer; kept within the range, NaN gives zero.
  val f16 : f16 -> i32

  -- | A value of type `f32` cut to an integer; kept within the range, NaN gives zero.
  val f32 : f32 -> i32

  -- | A value of type `f64` cut to an integer; kept within the range, NaN gives zero.
  val f64 : f64 -> i32

  -- | One for `true`, zero for `false`.
  val bool : bool -> i32

  -- | The value as an `i64`.
  val to_i64 : i32 -> i64

  -- | Addition; wraps around.
  val (+) : i32 -> i32 -> i32

  -- | Subtraction; wraps around.
  val (-) : i32 -> i32 -> i32

  -- | Multiplication; wraps around.
  val (*) : i32 -> i32 -> i32

  -- | Division, rounded to minus infinity.
  val (/) : i32 -> i32 -> i32

  -- | The remainder with the sign of the divisor.
  val (%) : i32 -> i32 -> i32

  -- | Division, rounded to zero.
  val (//) : i32 -> i32 -> i32

  -- | The remainder with the sign of the dividend.
  val (%%) : i32 -> i32 -> i32

  -- | Power; wraps around, a negative exponent is an error.
  val (**) : i32 -> i32 -> i32

  -- | Bitwise and.
  val (&) : i32 -> i32 -> i32

  -- | Bitwise or.
  val (|) : i32 -> i32 -> i32

  -- | Bitwise exclusive or.
  val (^) : i32 -> i32 -> i32

  -- | Shift to the left; by the width or more gives zero.
  val (<<) : i32 -> i32 -> i32

  -- | Shift to the right; fills with the sign.
  val (>>) : i32 -> i32 -> i32

  -- | Shift to the right; fills with zeros.
  val (>>>) : i32 -> i32 -> i32

  -- | Whether the values are equal.
  val (==) : i32 -> i32 -> bool

  -- | Whether the values differ.
  val (!=) : i32 -> i32 -> bool

  -- | Whether the first is smaller.
  val (<) : i32 -> i32 -> bool

  -- | Whether the first is not greater.
  val (<=) : i32 -> i32 -> bool

  -- | Whether the first is greater.
  val (>) : i32 -> i32 -> bool

  -- | Whether the first is not smaller.
  val (>=) : i32 -> i32 -> bool

  -- | The negative.
  val neg : i32 -> i32

  -- | The magnitude.
  val abs : i32 -> i32

  -- | -1, 0 or 1, by the sign.
  val sgn : i32 -> i32

  -- | The smaller one.
  val min : i32 -> i32 -> i32

  -- | The greater one.
  val max : i32 -> i32 -> i32

  -- | Every bit inverted.
  val not : i32 -> i32

  -- | The number of one bits.
  val popc : i32 -> i32

  -- | The number of zero bits above the highest one bit.
  val clz : i32 -> i32

  -- | The number of zero bits below the lowest one bit.
  val ctz : i32 -> i32

  -- | The upper half of the full product.
  val mul_hi : i32 -> i32 -> i32

  -- | `mul_hi x y + z`.
  def mad_hi (x: i32) (y: i32) (z: i32) : i32 = mul_hi x y + z

  -- | The number of bits.
  def num_bits : i32 = 32

  -- | The bit at a position, counted from the lowest.
  def get_bit (bit: i32) (x: i32) : i32 = if (x >>> i32 bit) & 1 == 1 then 1 else 0

  -- | The value with the bit at a position replaced.
  def set_bit (bit: i32) (x: i32) (b: i32) : i32 = (x & not (1 << i32 bit)) | (i32 b << i32 bit)

  -- | The greatest value.
  def highest : i32 = 2147483647

  -- | The smallest value.
  def lowest : i32 = -2147483647 - 1

  -- | The sum of all elements.
  def sum [n] (xs: [n]i32) : i32 = reduce (+) 0 xs

  -- | The product of all elements.
  def product [n] (xs: [n]i32) : i32 = reduce (*) 1 xs

  -- | The greatest element; `lowest` if there is none.
  def maximum [n] (xs: [n]i32) : i32 = reduce_comm max lowest xs

  -- | The smallest element; `highest` if there is none.
  def minimum [n] (xs: [n]i32) : i32 = reduce_comm min highest xs
}

-- | Operations on `i64`.
module i64 = {
  -- | The type itself.
  type t = i64

  -- | The low bits of a value of type `i8`, sign or zero extended.
  val i8 : i8 -> i64

  -- | The low bits of a value of type `i16`, sign or zero extended.
  val i16 : i16 -> i64

  -- | The low bits of a value of type `i32`, sign or zero extended.
  val i32 : i32 -> i64

  -- | The value itself.
  val i64 : i64 -> i64

  -- | The low bits of a value of type `u8`, sign or zero extended.
  val u8 : u8 -> i64

  -- | The low bits of a value of type `u16`, sign or zero extended.
  val u16 : u16 -> i64

  -- | The low bits of a value of type `u32`, sign or zero extended.
  val u32 : u32 -> i64

  -- | The low bits of a value of type `u64`, sign or zero extended.
  val u64 : u64 -> i64

  -- | A value of type `f16` cut to an integer; kept within the range, NaN gives zero.
  val f16 : f16 -> i64

  -- | A value of type `f32` cut to an integer; kept within the range, NaN gives zero.
  val f32 : f32 -> i64

  -- | A value of type `f64` cut to an integer; kept within the range, NaN gives zero.
  val f64 : f64 -> i64

  -- | One for `true`, zero for `false`.
  val bool : bool -> i64

  -- | The value as an `i64`.
  val to_i64 : i64 -> i64

  -- | Addition; wraps around.
  val (+) : i64 -> i64 -> i64

  -- | Subtraction; wraps around.
  val (-) : i64 -> i64 -> i64

  -- | Multiplication; wraps around.
  val (*) : i64 -> i64 -> i64

  -- | Division, rounded to minus infinity.
  val (/) : i64 -> i64 -> i64

  -- | The remainder with the sign of the divisor.
  val (%) : i64 -> i64 -> i64

  -- | Division, rounded to zero.
  val (//) : i64 -> i64 -> i64

  -- | The remainder with the sign of the dividend.
  val (%%) : i64 -> i64 -> i64

  -- | Power; wraps around, a negative exponent is an error.
  val (**) : i64 -> i64 -> i64

  -- | Bitwise and.
  val (&) : i64 -> i64 -> i64

  -- | Bitwise or.
  val (|) : i64 -> i64 -> i64

  -- | Bitwise exclusive or.
  val (^) : i64 -> i64 -> i64

  -- | Shift to the left; by the width or more gives zero.
  val (<<) : i64 -> i64 -> i64

  -- | Shift to the right; fills with the sign.
  val (>>) : i64 -> i64 -> i64

  -- | Shift to the right; fills with zeros.
  val (>>>) : i64 -> i64 -> i64

  -- | Whether the values are equal.
  val (==) : i64 -> i64 -> bool

  -- | Whether the values differ.
  val (!=) : i64 -> i64 -> bool

  -- | Whether the first is smaller.
  val (<) : i64 -> i64 -> bool

  -- | Whether the first is not greater.
  val (<=) : i64 -> i64 -> bool

  -- | Whether the first is greater.
  val (>) : i64 -> i64 -> bool

  -- | Whether the first is not smaller.
  val (>=) : i64 -> i64 -> bool

  -- | The negative.
  val neg : i64 -> i64

  -- | The magnitude.
  val abs : i64 -> i64

  -- | -1, 0 or 1, by the sign.
  val sgn : i64 -> i64

  -- | The smaller one.
  val min : i64 -> i64 -> i64

  -- | The greater one.
  val max : i64 -> i64 -> i64

  -- | Every bit inverted.
  val not : i64 -> i64

  -- | The number of one bits.
  val popc : i64 -> i32

  -- | The number of zero bits above the highest one bit.
  val clz : i64 -> i32

  -- | The number of zero bits below the lowest one bit.
  val ctz : i64 -> i32

  -- | The upper half of the full product.
  val mul_hi : i64 -> i64 -> i64

  -- | `mul_hi x y + z`.
  def mad_hi (x: i64) (y: i64) (z: i64) : i64 = mul_hi x y + z

  -- | The number of bits.
  def num_bits : i32 = 64

  -- | The bit at a position, counted from the lowest.
  def get_bit (bit: i32) (x: i64) : i32 = if (x >>> i32 bit) & 1 == 1 then 1 else 0

  -- | The value with the bit at a position replaced.
  def set_bit (bit: i32) (x: i64) (b: i32) : i64 = (x & not (1 << i32 bit)) | (i32 b << i32 bit)

  -- | The greatest value.
  def highest : i64 = 9223372036854775807

  -- | The smallest value.
  def lowest : i64 = -9223372036854775807 - 1

  -- | The sum of all elements.
  def sum [n] (xs: [n]i64) : i64 = reduce (+) 0 xs

  -- | The product of all elements.
  def product [n] (xs: [n]i64) : i64 = reduce (*) 1 xs

  -- | The greatest element; `lowest` if there is none.
  def maximum [n] (xs: [n]i64) : i64 = reduce_comm max lowest xs

  -- | The smallest element; `highest` if there is none.
  def minimum [n] (xs: [n]i64) : i64 = reduce_comm min highest xs
}

-- | Operations on `u8`.
module u8 = {
  -- | The type itself.
  type t = u8

  -- | The low bits of a value of type `i8`, sign or zero extended.
  val i8 : i8 -> u8

  -- | The low bits of a value of type `i16`, sign or zero extended.
  val i16 : i16 -> u8

  -- | The low bits of a value of type `i32`, sign or zero extended.
  val i32 : i32 -> u8

  -- | The low bits of a value of type `i64`, sign or zero extended.
  val i64 : i64 -> u8

  -- | The value itself.
  val u8 : u8 -> u8

  -- | The low bits of a value of type `u16`, sign or zero extended.
  val u16 : u16 -> u8

  -- | The low bits of a value of type `u32`, sign or zero extended.
  val u32 : u32 -> u8

  -- | The low bits of a value of type `u64`, sign or zero extended.
  val u64 : u64 -> u8

  -- | A value of type `f16` cut to an integer; kept within the range, NaN gives zero.
  val f16 : f16 -> u8

  -- | A value of type `f32` cut to an integer; kept within the range, NaN gives zero.
  val f32 : f32 -> u8

  -- | A value of type `f64` cut to an integer; kept within the range, NaN gives zero.
  val f64 : f64 -> u8

  -- | One for `true`, zero for `false`.
  val bool : bool -> u8

  -- | The value as an `i64`.
  val to_i64 : u8 -> i64

  -- | Addition; wraps around.
  val (+) : u8 -> u8 -> u8

  -- | Subtraction; wraps around.
  val (-) : u8 -> u8 -> u8

  -- | Multiplication; wraps around.
  val (*) : u8 -> u8 -> u8

  -- | Division, rounded to minus infinity.
  val (/) : u8 -> u8 -> u8

  -- | The remainder with the sign of the divisor.
  val (%) : u8 -> u8 -> u8

  -- | Division, rounded to zero.
  val (//) : u8 -> u8 -> u8

  -- | The remainder with the sign of the dividend.
  val (%%) : u8 -> u8 -> u8

  -- | Power; wraps around.
  val (**) : u8 -> u8 -> u8

  -- | Bitwise and.
  val (&) : u8 -> u8 -> u8

  -- | Bitwise or.
  val (|) : u8 -> u8 -> u8

  -- | Bitwise exclusive or.
  val (^) : u8 -> u8 -> u8

  -- | Shift to the left; by the width or more gives zero.
  val (<<) : u8 -> u8 -> u8

  -- | Shift to the right; fills with zeros.
  val (>>) : u8 -> u8 -> u8

  -- | Shift to the right; fills with zeros.
  val (>>>) : u8 -> u8 -> u8

  -- | Whether the values are equal.
  val (==) : u8 -> u8 -> bool

  -- | Whether the values differ.
  val (!=) : u8 -> u8 -> bool

  -- | Whether the first is smaller.
  val (<) : u8 -> u8 -> bool

  -- | Whether the first is not greater.
  val (<=) : u8 -> u8 -> bool

  -- | Whether the first is greater.
  val (>) : u8 -> u8 -> bool

  -- | Whether the first is not smaller.
  val (>=) : u8 -> u8 -> bool

  -- | The negative.
  val neg : u8 -> u8

  -- | The magnitude.
  val abs : u8 -> u8

  -- | -1, 0 or 1, by the sign.
  val sgn : u8 -> u8

  -- | The smaller one.
  val min : u8 -> u8 -> u8

  -- | The greater one.
  val max : u8 -> u8 -> u8

  -- | Every bit inverted.
  val not : u8 -> u8

  -- | The number of one bits.
  val popc : u8 -> i32

  -- | The number of zero bits above the highest one bit.
  val clz : u8 -> i32

  -- | The number of zero bits below the lowest one bit.
  val ctz : u8 -> i32

  -- | The upper half of the full product.
  val mul_hi : u8 -> u8 -> u8

  -- | `mul_hi x y + z`.
  def mad_hi (x: u8) (y: u8) (z: u8) : u8 = mul_hi x y + z

  -- | The number of bits.
  def num_bits : i32 = 8

  -- | The bit at a position, counted from the lowest.
  def get_bit (bit: i32) (x: u8) : i32 = if (x >>> i32 bit) & 1 == 1 then 1 else 0

  -- | The value with the bit at a position replaced.
  def set_bit (bit: i32) (x: u8) (b: i32) : u8 = (x & not (1 << i32 bit)) | (i32 b << i32 bit)

  -- | The greatest value.
  def highest : u8 = 255

  -- | The smallest value.
  def lowest : u8 = 0

  -- | The sum of all elements.
  def sum [n] (xs: [n]u8) : u8 = reduce (+) 0 xs

  -- | The product of all elements.
  def product [n] (xs: [n]u8) : u8 = reduce (*) 1 xs

  -- | The greatest element; `lowest` if there is none.
  def maximum [n] (xs: [n]u8) : u8 = reduce_comm max lowest xs

  -- | The smallest element; `highest` if there is none.
  def minimum [n] (xs: [n]u8) : u8 = reduce_comm min highest xs
}

-- | Operations on `u16`.
module u16 = {
  -- | The type itself.
  type t = u16

  -- | The low bits of a value of type `i8`, sign or zero extended.
  val i8 : i8 -> u16

  -- | The low bits of a value of type `i16`, sign or zero extended.
  val i16 : i16 -> u16

  -- | The low bits of a value of type `i32`, sign or zero extended.
  val i32 : i32 -> u16

  -- | The low bits of a value of type `i64`, sign or zero extended.
  val i64 : i64 -> u16

  -- | The low bits of a value of type `u8`, sign or zero extended.
  val u8 : u8 -> u16

  -- | The value itself.
  val u16 : u16 -> u16

  -- | The low bits of a value of type `u32`, sign or zero extended.
  val u32 : u32 -> u16

  -- | The low bits of a value of type `u64`, sign or zero extended.
  val u64 : u64 -> u16

  -- | A value of type `f16` cut to an integer; kept within the range, NaN gives zero.
  val f16 : f16 -> u16

  -- | A value of type `f32` cut to an integer; kept within the range, NaN gives zero.
  val f32 : f32 -> u16

  -- | A value of type `f64` cut to an integer; kept within the range, NaN gives zero.
  val f64 : f64 -> u16

  -- | One for `true`, zero for `false`.
  val bool : bool -> u16

  -- | The value as an `i64`.
  val to_i64 : u16 -> i64

  -- | Addition; wraps around.
  val (+) : u16 -> u16 -> u16

  -- | Subtraction; wraps around.
  val (-) : u16 -> u16 -> u16

  -- | Multiplication; wraps around.
  val (*) : u16 -> u16 -> u16

  -- | Division, rounded to minus infinity.
  val (/) : u16 -> u16 -> u16

  -- | The remainder with the sign of the divisor.
  val (%) : u16 -> u16 -> u16

  -- | Division, rounded to zero.
  val (//) : u16 -> u16 -> u16

  -- | The remainder with the sign of the dividend.
  val (%%) : u16 -> u16 -> u16

  -- | Power; wraps around.
  val (**) : u16 -> u16 -> u16

  -- | Bitwise and.
  val (&) : u16 -> u16 -> u16

  -- | Bitwise or.
  val (|) : u16 -> u16 -> u16

  -- | Bitwise exclusive or.
  val (^) : u16 -> u16 -> u16

  -- | Shift to the left; by the width or more gives zero.
  val (<<) : u16 -> u16 -> u16

  -- | Shift to the right; fills with zeros.
  val (>>) : u16 -> u16 -> u16

  -- | Shift to the right; fills with zeros.
  val (>>>) : u16 -> u16 -> u16

  -- | Whether the values are equal.
  val (==) : u16 -> u16 -> bool

  -- | Whether the values differ.
  val (!=) : u16 -> u16 -> bool

  -- | Whether the first is smaller.
  val (<) : u16 -> u16 -> bool

  -- | Whether the first is not greater.
  val (<=) : u16 -> u16 -> bool

  -- | Whether the first is greater.
  val (>) : u16 -> u16 -> bool

  -- | Whether the first is not smaller.
  val (>=) : u16 -> u16 -> bool

  -- | The negative.
  val neg : u16 -> u16

  -- | The magnitude.
  val abs : u16 -> u16

  -- | -1, 0 or 1, by the sign.
  val sgn : u16 -> u16

  -- | The smaller one.
  val min : u16 -> u16 -> u16

  -- | The greater one.
  val max : u16 -> u16 -> u16

  -- | Every bit inverted.
  val not : u16 -> u16

  -- | The number of one bits.
  val popc : u16 -> i32

  -- | The number of zero bits above the highest one bit.
  val clz : u16 -> i32

  -- | The number of zero bits below the lowest one bit.
  val ctz : u16 -> i32

  -- | The upper half of the full product.
  val mul_hi : u16 -> u16 -> u16

  -- | `mul_hi x y + z`.
  def mad_hi (x: u16) (y: u16) (z: u16) : u16 = mul_hi x y + z

  -- | The number of bits.
  def num_bits : i32 = 16

  -- | The bit at a position, counted from the lowest.
  def get_bit (bit: i32) (x: u16) : i32 = if (x >>> i32 bit) & 1 == 1 then 1 else 0

  -- | The value with the bit at a position replaced.
  def set_bit (bit: i32) (x: u16) (b: i32) : u16 = (x & not (1 << i32 bit)) | (i32 b << i32 bit)

  -- | The greatest value.
  def highest : u16 = 65535

  -- | The smallest value.
  def lowest : u16 = 0

  -- | The sum of all elements.
  def sum [n] (xs: [n]u16) : u16 = reduce (+) 0 xs

  -- | The product of all elements.
  def product [n] (xs: [n]u16) : u16 = reduce (*) 1 xs

  -- | The greatest element; `lowest` if there is none.
  def maximum [n] (xs: [n]u16) : u16 = reduce_comm max lowest xs

  -- | The smallest element; `highest` if there is none.
  def minimum [n] (xs: [n]u16) : u16 = reduce_comm min highest xs
}

-- | Operations on `u32`.
module u32 = {
  -- | The type itself.
  type t = u32

  -- | The low bits of a value of type `i8`, sign or zero extended.
  val i8 : i8 -> u32

  -- | The low bits of a value of type `i16`, sign or zero extended.
  val i16 : i16 -> u32

  -- | The low bits of a value of type `i32`, sign or zero extended.
  val i32 : i32 -> u32

  -- | The low bits of a value of type `i64`, sign or zero extended.
  val i64 : i64 -> u32

  -- | The low bits of a value of type `u8`, sign or zero extended.
  val u8 : u8 -> u32

  -- | The low bits of a value of type `u16`, sign or zero extended.
  val u16 : u16 -> u32

  -- | The value itself.
  val u32 : u32 -> u32

  -- | The low bits of a value of type `u64`, sign or zero extended.
  val u64 : u64 -> u32

  -- | A value of type `f16` cut to an integer; kept within the range, NaN gives zero.
  val f16 : f16 -> u32

  -- | A value of type `f32` cut to an integer; kept within the range, NaN gives zero.
  val f32 : f32 -> u32

  -- | A value of type `f64` cut to an integer; kept within the range, NaN gives zero.
  val f64 : f64 -> u32

  -- | One for `true`, zero for `false`.
  val bool : bool -> u32

  -- | The value as an `i64`.
  val to_i64 : u32 -> i64

  -- | Addition; wraps around.
  val (+) : u32 -> u32 -> u32

  -- | Subtraction; wraps around.
  val (-) : u32 -> u32 -> u32

  -- | Multiplication; wraps around.
  val (*) : u32 -> u32 -> u32

  -- | Division, rounded to minus infinity.
  val (/) : u32 -> u32 -> u32

  -- | The remainder with the sign of the divisor.
  val (%) : u32 -> u32 -> u32

  -- | Division, rounded to zero.
  val (//) : u32 -> u32 -> u32

  -- | The remainder with the sign of the dividend.
  val (%%) : u32 -> u32 -> u32

  -- | Power; wraps around.
  val (**) : u32 -> u32 -> u32

  -- | Bitwise and.
  val (&) : u32 -> u32 -> u32

  -- | Bitwise or.
  val (|) : u32 -> u32 -> u32

  -- | Bitwise exclusive or.
  val (^) : u32 -> u32 -> u32

  -- | Shift to the left; by the width or more gives zero.
  val (<<) : u32 -> u32 -> u32

  -- | Shift to the right; fills with zeros.
  val (>>) : u32 -> u32 -> u32

  -- | Shift to the right; fills with zeros.
  val (>>>) : u32 -> u32 -> u32

  -- | Whether the values are equal.
  val (==) : u32 -> u32 -> bool

  -- | Whether the values differ.
  val (!=) : u32 -> u32 -> bool

  -- | Whether the first is smaller.
  val (<) : u32 -> u32 -> bool

  -- | Whether the first is not greater.
  val (<=) : u32 -> u32 -> bool

  -- | Whether the first is greater.
  val (>) : u32 -> u32 -> bool

  -- | Whether the first is not smaller.
  val (>=) : u32 -> u32 -> bool

  -- | The negative.
  val neg : u32 -> u32

  -- | The magnitude.
  val abs : u32 -> u32

  -- | -1, 0 or 1, by the sign.
  val sgn : u32 -> u32

  -- | The smaller one.
  val min : u32 -> u32 -> u32

  -- | The greater one.
  val max : u32 -> u32 -> u32

  -- | Every bit inverted.
  val not : u32 -> u32

  -- | The number of one bits.
  val popc : u32 -> i32

  -- | The number of zero bits above the highest one bit.
  val clz : u32 -> i32

  -- | The number of zero bits below the lowest one bit.
  val ctz : u32 -> i32

  -- | The upper half of the full product.
  val mul_hi : u32 -> u32 -> u32

  -- | `mul_hi x y + z`.
  def mad_hi (x: u32) (y: u32) (z: u32) : u32 = mul_hi x y + z

  -- | The number of bits.
  def num_bits : i32 = 32

  -- | The bit at a position, counted from the lowest.
  def get_bit (bit: i32) (x: u32) : i32 = if (x >>> i32 bit) & 1 == 1 then 1 else 0

  -- | The value with the bit at a position replaced.
  def set_bit (bit: i32) (x: u32) (b: i32) : u32 = (x & not (1 << i32 bit)) | (i32 b << i32 bit)

  -- | The greatest value.
  def highest : u32 = 4294967295

  -- | The smallest value.
  def lowest : u32 = 0

  -- | The sum of all elements.
  def sum [n] (xs: [n]u32) : u32 = reduce (+) 0 xs

  -- | The product of all elements.
  def product [n] (xs: [n]u32) : u32 = reduce (*) 1 xs

  -- | The greatest element; `lowest` if there is none.
  def maximum [n] (xs: [n]u32) : u32 = reduce_comm max lowest xs

  -- | The smallest element; `highest` if there is none.
  def minimum [n] (xs: [n]u32) : u32 = reduce_comm min highest xs
}

-- | Operations on `u64`.
module u64 = {
  -- | The type itself.
  type t = u64

  -- | The low bits of a value of type `i8`, sign or zero extended.
  val i8 : i8 -> u64

  -- | The low bits of a value of type `i16`, sign or zero extended.
  val i16 : i16 -> u64

  -- | The low bits of a value of type `i32`, sign or zero extended.
  val i32 : i32 -> u64

  -- | The low bits of a value of type `i64`, sign or zero extended.
  val i64 : i64 -> u64

  -- | The low bits of a value of type `u8`, sign or zero extended.
  val u8 : u8 -> u64

  -- | The low bits of a value of type `u16`, sign or zero extended.
  val u16 : u16 -> u64

  -- | The low bits of a value of type `u32`, sign or zero extended.
  val u32 : u32 -> u64

  -- | The value itself.
  val u64 : u64 -> u64

  -- | A value of type `f16` cut to an integer; kept within the range, NaN gives zero.
  val f16 : f16 -> u64

  -- | A value of type `f32` cut to an integer; kept within the range, NaN gives zero.
  val f32 : f32 -> u64

  -- | A value of type `f64` cut to an integer; kept within the range, NaN gives zero.
  val f64 : f64 -> u64

  -- | One for `true`, zero for `false`.
  val bool : bool -> u64

  -- | The value as an `i64`.
  val to_i64 : u64 -> i64

  -- | Addition; wraps around.
  val (+) : u64 -> u64 -> u64

  -- | Subtraction; wraps around.
  val (-) : u64 -> u64 -> u64

  -- | Multiplication; wraps around.
  val (*) : u64 -> u64 -> u64

  -- | Division, rounded to minus infinity.
  val (/) : u64 -> u64 -> u64

  -- | The remainder with the sign of the divisor.
  val (%) : u64 -> u64 -> u64

  -- | Division, rounded to zero.
  val (//) : u64 -> u64 -> u64

  -- | The remainder with the sign of the dividend.
  val (%%) : u64 -> u64 -> u64

  -- | Power; wraps around.
  val (**) : u64 -> u64 -> u64

  -- | Bitwise and.
  val (&) : u64 -> u64 -> u64

  -- | Bitwise or.
  val (|) : u64 -> u64 -> u64

  -- | Bitwise exclusive or.
  val (^) : u64 -> u64 -> u64

  -- | Shift to the left; by the width or more gives zero.
  val (<<) : u64 -> u64 -> u64

  -- | Shift to the right; fills with zeros.
  val (>>) : u64 -> u64 -> u64

  -- | Shift to the right; fills with zeros.
  val (>>>) : u64 -> u64 -> u64

  -- | Whether the values are equal.
  val (==) : u64 -> u64 -> bool

  -- | Whether the values differ.
  val (!=) : u64 -> u64 -> bool

  -- | Whether the first is smaller.
  val (<) : u64 -> u64 -> bool

  -- | Whether the first is not greater.
  val (<=) : u64 -> u64 -> bool

  -- | Whether the first is greater.
  val (>) : u64 -> u64 -> bool

  -- | Whether the first is not smaller.
  val (>=) : u64 -> u64 -> bool

  -- | The negative.
  val neg : u64 -> u64

  -- | The magnitude.
  val abs : u64 -> u64

  -- | -1, 0 or 1, by the sign.
  val sgn : u64 -> u64

  -- | The smaller one.
  val min : u64 -> u64 -> u64

  -- | The greater one.
  val max : u64 -> u64 -> u64

  -- | Every bit inverted.
  val not : u64 -> u64

  -- | The number of one bits.
  val popc : u64 -> i32

  -- | The number of zero bits above the highest one bit.
  val clz : u64 -> i32

  -- | The number of zero bits below the lowest one bit.
  val ctz : u64 -> i32

  -- | The upper half of the full product.
  val mul_hi : u64 -> u64 -> u64

  -- | `mul_hi x y + z`.
  def mad_hi (x: u64) (y: u64) (z: u64) : u64 = mul_hi x y + z

  -- | The number of bits.
  def num_bits : i32 = 64

  -- | The bit at a position, counted from the lowest.
  def get_bit (bit: i32) (x: u64) : i32 = if (x >>> i32 bit) & 1 == 1 then 1 else 0

  -- | The value with the bit at a position replaced.
  def set_bit (bit: i32) (x: u64) (b: i32) : u64 = (x & not (1 << i32 bit)) | (i32 b << i32 bit)

  -- | The greatest value.
  def highest : u64 = 18446744073709551615

  -- | The smallest value.
  def lowest : u64 = 0

  -- | The sum of all elements.
  def sum [n] (xs: [n]u64) : u64 = reduce (+) 0 xs

  -- | The product of all elements.
  def product [n] (xs: [n]u64) : u64 = reduce (*) 1 xs

  -- | The greatest element; `lowest` if there is none.
  def maximum [n] (xs: [n]u64) : u64 = reduce_comm max lowest xs

  -- | The smallest element; `highest` if there is none.
  def minimum [n] (xs: [n]u64) : u64 = reduce_comm min highest xs
}

-- | Operations on `bool`.
module bool = {
  -- | The type itself.
  type t = bool

  -- | Whether a value of type `i8` is not zero.
  val i8 : i8 -> bool

  -- | Whether a value of type `i16` is not zero.
  val i16 : i16 -> bool

  -- | Whether a value of type `i32` is not zero.
  val i32 : i32 -> bool

  -- | Whether a value of type `i64` is not zero.
  val i64 : i64 -> bool

  -- | Whether a value of type `u8` is not zero.
  val u8 : u8 -> bool

  -- | Whether a value of type `u16` is not zero.
  val u16 : u16 -> bool

  -- | Whether a value of type `u32` is not zero.
  val u32 : u32 -> bool

  -- | Whether a value of type `u64` is not zero.
  val u64 : u64 -> bool

  -- | Whether a value of type `f16` is not zero.
  val f16 : f16 -> bool

  -- | Whether a value of type `f32` is not zero.
  val f32 : f32 -> bool

  -- | Whether a value of type `f64` is not zero.
  val f64 : f64 -> bool

  -- | The value itself.
  val bool : bool -> bool

  -- | Both, without short circuit.
  val (&) : bool -> bool -> bool

  -- | Either, without short circuit.
  val (|) : bool -> bool -> bool

  -- | Exactly one.
  val (^) : bool -> bool -> bool

  -- | Whether the values are equal.
  val (==) : bool -> bool -> bool

  -- | Whether the values differ.
  val (!=) : bool -> bool -> bool

  -- | Logical not.
  val not : bool -> bool
}

-- | Logical not.
def not (x: bool) : bool = !x
