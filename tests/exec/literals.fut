-- Number spellings, characters, strings.
-- tolerance: exact
-- ==
-- input { }
-- output { 255i32 5i64 1000000i32 97i32 [104u8, 105u8] 1.5f32 0.1f64 -128i8 }
entry main : (i32, i64, i32, i32, [2]u8, f32, f64, i8) =
  (0xFF, 0b101i64, 1_000_000, 'a', "hi", 1.5f32, 0.1, -128i8)
