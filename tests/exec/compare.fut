-- Comparisons, signed and unsigned, and with NaN and signed zeros.
-- tolerance: exact
-- ==
-- entry: compare_i8
-- input { [-128i8, 127i8, 3i8] [127i8, -128i8, 3i8] }
-- output { [true, false, false]
--   [true, false, true]
--   [false, true, false]
--   [false, true, true]
--   [false, false, true]
--   [true, true, false] }
-- ==
-- entry: compare_u8
-- input { [255u8, 1u8, 3u8] [1u8, 255u8, 3u8] }
-- output { [false, true, false]
--   [false, true, true]
--   [true, false, false]
--   [true, false, true]
--   [false, false, true]
--   [true, true, false] }
-- ==
-- entry: compare_i64
-- input { [-1i64, 0i64, -9223372036854775808i64] [1i64, 0i64, 9223372036854775807i64] }
-- output { [true, false, true]
--   [true, true, true]
--   [false, false, false]
--   [false, true, false]
--   [false, true, false]
--   [true, false, true] }
-- ==
-- entry: compare_u64
-- input { [18446744073709551615u64, 0u64] [1u64, 0u64] }
-- output { [false, false]
--   [false, true]
--   [true, false]
--   [true, true]
--   [false, true]
--   [true, false] }
-- ==
-- entry: compare_f32
-- input { [f32.nan, 1.0f32, -0.0f32, 1.5f32, -f32.inf]
--   [f32.nan, f32.nan, 0.0f32, 2.0f32, f32.inf] }
-- output { [false, false, false, true, true]
--   [false, false, true, true, true]
--   [false, false, false, false, false]
--   [false, false, true, false, false]
--   [false, false, true, false, false]
--   [true, true, false, true, true] }
-- ==
-- entry: compare_f64
-- input { [f64.nan, 1.0f64, -0.0f64, 1.5f64, -f64.inf]
--   [f64.nan, f64.nan, 0.0f64, 2.0f64, f64.inf] }
-- output { [false, false, false, true, true]
--   [false, false, true, true, true]
--   [false, false, false, false, false]
--   [false, false, true, false, false]
--   [false, false, true, false, false]
--   [true, true, false, true, true] }
entry compare_i8 [n] (a: [n]i8) (b: [n]i8) =
  (map2 (<) a b, map2 (<=) a b, map2 (>) a b, map2 (>=) a b, map2 (==) a b, map2 (!=) a b)

entry compare_u8 [n] (a: [n]u8) (b: [n]u8) =
  (map2 (<) a b, map2 (<=) a b, map2 (>) a b, map2 (>=) a b, map2 (==) a b, map2 (!=) a b)

entry compare_i64 [n] (a: [n]i64) (b: [n]i64) =
  (map2 (<) a b, map2 (<=) a b, map2 (>) a b, map2 (>=) a b, map2 (==) a b, map2 (!=) a b)

entry compare_u64 [n] (a: [n]u64) (b: [n]u64) =
  (map2 (<) a b, map2 (<=) a b, map2 (>) a b, map2 (>=) a b, map2 (==) a b, map2 (!=) a b)

entry compare_f32 [n] (a: [n]f32) (b: [n]f32) =
  (map2 (<) a b, map2 (<=) a b, map2 (>) a b, map2 (>=) a b, map2 (==) a b, map2 (!=) a b)

entry compare_f64 [n] (a: [n]f64) (b: [n]f64) =
  (map2 (<) a b, map2 (<=) a b, map2 (>) a b, map2 (>=) a b, map2 (==) a b, map2 (!=) a b)
