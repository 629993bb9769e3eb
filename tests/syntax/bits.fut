-- With a suffix, hexadecimal and binary digits are the bits of the value, and a sign negates it.
-- ==
-- input { } output { -1 -128i8 -2147483648 255u8 -1i64 -128i8 f32.inf -9223372036854775808i64 }
def main =
  (0xFFFFFFFFi32, 0x80i8, 0b10000000000000000000000000000000i32, -1u8, 0xFFFFFFFFFFFFFFFFi64,
   -0x80i8, 1e39f32, -9223372036854775808i64)
