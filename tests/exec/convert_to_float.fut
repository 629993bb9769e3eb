-- Integers to floats and f64 to f32 round to nearest even.
-- tolerance: exact
-- ==
-- entry: from_i64
-- input { [16777217i64, -16777217i64, 9223372036854775807i64, 33554435i64, 0i64] }
-- output { [16777216.0f32, -16777216.0f32, 9.223372e+18f32, 33554436.0f32, 0.0f32]
--   [16777217.0f64, -16777217.0f64, 9223372036854775807.0f64, 33554435.0f64, 0.0f64] }
-- ==
-- entry: from_f64
-- input { [0.1f64, 1e300f64, -1e-300f64, f64.nan, 16777217.0f64] }
-- output { [0.1f32, f32.inf, -0.0f32, f32.nan, 16777216.0f32] }
-- ==
-- entry: from_u64
-- input { [18446744073709551615u64, 9223373136366403585u64] }
-- output { [1.8446744e+19f32, 9.223373e+18f32] }
-- ==
-- entry: from_bool
-- input { [true, false] }
-- output { [1i32, 0i32] [1.0f32, 0.0f32] }
entry from_i64 [n] (a: [n]i64) = (map f32.i64 a, map f64.i64 a)
entry from_f64 [n] (a: [n]f64) = map f32.f64 a
entry from_u64 [n] (a: [n]u64) = map f32.u64 a
entry from_bool [n] (a: [n]bool) = (map i32.bool a, map f32.bool a)
