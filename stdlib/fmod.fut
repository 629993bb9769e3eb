-- The floating-point `%`: `x - y * trunc (x / y)` computed exactly, with the sign of `x` (C's fmod).
--
-- Long division on the integer significands, one bit of the quotient per step, so every engine gets
-- the same bits. The result is exact: it is a multiple of the smaller of the two units in the last
-- place and less than `y`. Nothing here can fail. The compiler calls these two for the operator.

-- | Significand and exponent of the magnitude with bits `a`, not 0 or infinite:
-- `m * 2^(e - 150)` with `2^23 <= m < 2^24`. The exponent of a subnormal number is that of its
-- significand as a float.
def fmod_split_f32 (a: u32) : (u32, i32) =
  if a >= 0x00800000u32
  then ((a & 0x007fffffu32) | 0x00800000u32, i32.u32 (a >> 23u32))
  else let shift = 150i32 - i32.u32 (f32.to_bits (f32.u32 a) >> 23u32)
       in (a << u32.i32 shift, 1i32 - shift)

-- | The bits of `m * 2^(e - 150)`, which is representable, for `m < 2^24`.
def fmod_join_f32 (m: u32) (e: i32) : u32 =
  let shift = 150i32 - i32.u32 (f32.to_bits (f32.u32 m) >> 23u32)
  let exponent = e - shift
  in if m == 0u32
     then 0u32
     else if exponent >= 1i32
     then (u32.i32 exponent << 23u32) | ((m << u32.i32 shift) & 0x007fffffu32)
     else if e >= 1i32
     then m << u32.i32 (e - 1i32)
     else m >> u32.i32 (1i32 - e)

-- | The remainder of `x / y` rounded to zero. NaN when `y` is 0 or `x` infinite.
def fmod_f32 (x: f32) (y: f32) : f32 =
  let bits = f32.to_bits x
  let ax = bits & 0x7fffffffu32
  let ay = f32.to_bits y & 0x7fffffffu32
  in if ay == 0u32 || ax >= 0x7f800000u32 || ay > 0x7f800000u32
     then f32.from_bits 0x7fc00000u32
     else if ax < ay
     then x
     else let (mx, ex) = fmod_split_f32 ax
          let (my, ey) = fmod_split_f32 ay
          let rest =
            loop r = (if mx >= my then mx - my else mx)
            for i < ex - ey do
              let doubled = r << 1u32
              in if doubled >= my then doubled - my else doubled
          in f32.from_bits ((bits & 0x80000000u32) | fmod_join_f32 rest ey)

-- | As `fmod_split_f32`: `m * 2^(e - 1075)` with `2^52 <= m < 2^53`.
def fmod_split_f64 (a: u64) : (u64, i32) =
  if a >= 0x0010000000000000u64
  then ((a & 0x000fffffffffffffu64) | 0x0010000000000000u64, i32.u64 (a >> 52u64))
  else let shift = 1075i32 - i32.u64 (f64.to_bits (f64.u64 a) >> 52u64)
       in (a << u64.i32 shift, 1i32 - shift)

-- | As `fmod_join_f32`: the bits of `m * 2^(e - 1075)` for `m < 2^53`.
def fmod_join_f64 (m: u64) (e: i32) : u64 =
  let shift = 1075i32 - i32.u64 (f64.to_bits (f64.u64 m) >> 52u64)
  let exponent = e - shift
  in if m == 0u64
     then 0u64
     else if exponent >= 1i32
     then (u64.i32 exponent << 52u64) | ((m << u64.i32 shift) & 0x000fffffffffffffu64)
     else if e >= 1i32
     then m << u64.i32 (e - 1i32)
     else m >> u64.i32 (1i32 - e)

-- | The remainder of `x / y` rounded to zero. NaN when `y` is 0 or `x` infinite.
def fmod_f64 (x: f64) (y: f64) : f64 =
  let bits = f64.to_bits x
  let ax = bits & 0x7fffffffffffffffu64
  let ay = f64.to_bits y & 0x7fffffffffffffffu64
  in if ay == 0u64 || ax >= 0x7ff0000000000000u64 || ay > 0x7ff0000000000000u64
     then f64.from_bits 0x7ff8000000000000u64
     else if ax < ay
     then x
     else let (mx, ex) = fmod_split_f64 ax
          let (my, ey) = fmod_split_f64 ay
          let rest =
            loop r = (if mx >= my then mx - my else mx)
            for i < ex - ey do
              let doubled = r << 1u64
              in if doubled >= my then doubled - my else doubled
          in f64.from_bits ((bits & 0x8000000000000000u64) | fmod_join_f64 rest ey)
