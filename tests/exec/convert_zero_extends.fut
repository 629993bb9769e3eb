-- A signed integer to a wider unsigned one: zeros in front of its bits. Equal and smaller widths, and
-- unsigned sources, as ever.
-- tolerance: exact
-- ==
-- input { [-1i8, -128i8, 127i8] [-1i16, 5i16] [-1i32, -2147483648i32] }
-- output { [255u8, 128u8, 127u8] [255u16, 128u16, 127u16] [255u32, 128u32, 127u32] [255u64, 128u64, 127u64]
--   [255u8, 5u8] [65535u16, 5u16] [65535u32, 5u32] [65535u64, 5u64]
--   [4294967295u64, 2147483648u64] [-1i64, -128i64, 127i64] [-1i16, -1i16] 255u64 255i64 }
entry main [n] [m] [k] (a: [n]i8) (b: [m]i16) (c: [k]i32) =
  ( map u8.i8 a
  , map u16.i8 a
  , map u32.i8 a
  , map u64.i8 a
  , map u8.i16 b
  , map u16.i16 b
  , map u32.i16 b
  , map u64.i16 b
  , map u64.i32 c
  , map i64.i8 a
  , map (i16.u16 <-< u16.i16) (rep b[0] :> [2]i16)
  , u64.i8 a[0]
  , i64.u8 (u8.i8 a[0])
  )
