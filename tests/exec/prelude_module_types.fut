-- The modules of all scalar types have the prelude's module types, and parametric modules work with
-- them.
module sums (T: numeric) = {
  def spread (xs: []T.t) : T.t = T.(maximum xs - minimum xs)
  def mean_of_two (a: T.t) (b: T.t) : T.t = T.((a + b) / i64 2)
}

module bits (T: integral) = {
  def ones (x: T.t) : i32 = T.popc x + T.get_bit 0 (T.not x) + T.num_bits
}

module angles (T: float) = {
  def half (x: T.t) : T.t = T.(sqrt (x * x) / from_fraction 2 1)
  def next (x: T.t) : T.t = T.(from_bits (to_bits (nextafter x inf)))
}

module truth (T: from_prim) = {
  def make (x: bool) : T.t = T.bool x
}

module s_i8 = sums i8
module s_i16 = sums i16
module s_i32 = sums i32
module s_i64 = sums i64
module s_u8 = sums u8
module s_u16 = sums u16
module s_u32 = sums u32
module s_u64 = sums u64
module s_f16 = sums f16
module s_f32 = sums f32
module s_f64 = sums f64

-- ==
-- entry: spreads
-- input { [3i64, 9i64, 4i64] }
-- output { 6i8 6i16 6i32 6i64 6u8 6u16 6u32 6u64 6f16 6f32 6f64 }
entry spreads (xs: []i64) : (i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64) =
  ( s_i8.spread (map i8.i64 xs)
  , s_i16.spread (map i16.i64 xs)
  , s_i32.spread (map i32.i64 xs)
  , s_i64.spread xs
  , s_u8.spread (map u8.i64 xs)
  , s_u16.spread (map u16.i64 xs)
  , s_u32.spread (map u32.i64 xs)
  , s_u64.spread (map u64.i64 xs)
  , s_f16.spread (map f16.i64 xs)
  , s_f32.spread (map f32.i64 xs)
  , s_f64.spread (map f64.i64 xs)
  )

module b_i8 = bits i8
module b_i16 = bits i16
module b_i32 = bits i32
module b_i64 = bits i64
module b_u8 = bits u8
module b_u16 = bits u16
module b_u32 = bits u32
module b_u64 = bits u64

-- ==
-- entry: ones
-- input { 6i64 } output { 11i32 19i32 35i32 67i32 11i32 19i32 35i32 67i32 }
entry ones (x: i64) : (i32, i32, i32, i32, i32, i32, i32, i32) =
  ( b_i8.ones (i8.i64 x)
  , b_i16.ones (i16.i64 x)
  , b_i32.ones (i32.i64 x)
  , b_i64.ones x
  , b_u8.ones (u8.i64 x)
  , b_u16.ones (u16.i64 x)
  , b_u32.ones (u32.i64 x)
  , b_u64.ones (u64.i64 x)
  )

module a_f16 = angles f16
module a_f32 = angles f32
module a_f64 = angles f64

-- ==
-- entry: halves
-- input { 3f64 } output { 1.5f16 1.5f32 1.5f64 }
entry halves (x: f64) : (f16, f32, f64) =
  (a_f16.half (f16.f64 x), a_f32.half (f32.f64 x), a_f64.half x)

module t_bool = truth bool
module t_f16 = truth f16

-- ==
-- entry: truths
-- input { true } output { true 1f16 }
entry truths (x: bool) : (bool, f16) = (t_bool.make x, t_f16.make x)
