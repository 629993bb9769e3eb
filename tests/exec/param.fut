-- Tuning parameters: a file beside the program says what they are.
-- ==
-- input { 1i64 } output { 41i64 8i64 3i64 }
entry main (x: i64) =
  let a = #[param(width)] 7
  let b = #[param(other)] 8i64
  let c = #[param(whole)] x + 1000
  in (a + x, b, c)
