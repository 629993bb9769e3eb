-- Tuning parameters: a file beside the program says what they are, in the type of the expression.
-- ==
-- input { 1i64 } output { 41i64 8i64 3i64 }
-- ==
-- entry: narrow
-- input { 1i32 } output { 41i32 3u8 -2i16 }
entry main (x: i64) =
  let a = #[param(width)] 7
  let b = #[param(other)] 8i64
  let c = #[param(whole)] x + 1000
  in (a + x, b, c)

entry narrow (x: i32) =
  let a = #[param(width)] 7
  let b = #[param(whole)] 8u8
  let c: i16 = #[param(below)] 9
  in (a + x, b, c)
