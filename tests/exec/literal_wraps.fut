-- Integer literals with a suffix wrap around, in every spelling and in patterns.
-- tolerance: exact
-- ==
-- input { 0u8 } output { -1i8 44i8 0u8 -9223372036854775808i64 -1i32 0u16 1i64 true }
-- input { 1u8 } output { -1i8 44i8 0u8 -9223372036854775808i64 -1i32 0u16 1i64 false }
entry main (x: u8) =
  ( 255i8
  , 300i8
  , 256u8
  , 9223372036854775808i64
  , 0xFFFFFFFFi32
  , 0b10000000000000000u16
  , 18446744073709551617i64
  , match x case 256u8 -> true case _ -> false
  )
