-- Between integers: cut to the width; a signed source is extended by its sign, or by zeros if the wider
-- type is unsigned.
-- tolerance: exact
-- ==
-- input { [-1i32, 200i32, 300i32, -2147483648i32] [200u8, 255u8] }
-- output { [-1i8, -56i8, 44i8, 0i8] [255u8, 200u8, 44u8, 0u8] [-1i64, 200i64, 300i64, -2147483648i64]
--   [4294967295u64, 200u64, 300u64, 2147483648u64] [-56i8, -1i8] [200i64, 255i64] }
entry main [n] [m] (a: [n]i32) (b: [m]u8) =
  (map i8.i32 a, map u8.i32 a, map i64.i32 a, map u64.i32 a, map i8.u8 b, map i64.u8 b)
