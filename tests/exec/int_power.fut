-- `**` wraps; the exponent is taken as it is, 0 ** 0 is 1.
-- tolerance: exact
-- ==
-- entry: power_i8
-- input { [2i8, -3i8, 0i8, 0i8, -1i8, 7i8] [6i8, 5i8, 0i8, 3i8, 9i8, 11i8] }
-- output { [64i8, 13i8, 1i8, 0i8, -1i8, -105i8] }
-- ==
-- entry: power_i32
-- input { [2i32, -3i32, 0i32, 0i32, -1i32, 7i32] [6i32, 5i32, 0i32, 3i32, 9i32, 11i32] }
-- output { [64i32, -243i32, 1i32, 0i32, -1i32, 1977326743i32] }
-- ==
-- entry: power_u8
-- input { [2u8, 3u8, 0u8, 0u8, 7u8, 1u8] [6u8, 5u8, 0u8, 3u8, 9u8, 11u8] }
-- output { [64u8, 243u8, 1u8, 0u8, 71u8, 1u8] }
-- ==
-- entry: power_i64
-- input { [2i64, -3i64, 0i64, 0i64, -1i64, 7i64] [6i64, 5i64, 0i64, 3i64, 9i64, 11i64] }
-- output { [64i64, -243i64, 1i64, 0i64, -1i64, 1977326743i64] }
entry power_i8 [n] (a: [n]i8) (b: [n]i8) = map2 (**) a b
entry power_i32 [n] (a: [n]i32) (b: [n]i32) = map2 (**) a b
entry power_u8 [n] (a: [n]u8) (b: [n]u8) = map2 (**) a b
entry power_i64 [n] (a: [n]i64) (b: [n]i64) = map2 (**) a b
