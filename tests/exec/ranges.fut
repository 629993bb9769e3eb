-- Ranges: exclusive and inclusive, with a step, downwards, empty, of other types.
-- tolerance: exact
-- ==
-- input { 1i64 4i64 }
-- output { [1i64, 2i64, 3i64] [1i64, 2i64, 3i64, 4i64] [1i64, 3i64] [4i64, 3i64, 2i64]
--   [4i64, 2i64] empty([0]i64) [250u8, 252u8, 254u8] }
entry main (a: i64) (b: i64) : ([]i64, []i64, []i64, []i64, []i64, []i64, []u8) =
  (a..<b, a...b, a..a + 2...b, b..>a, b..b - 2...a, a..<a, 250u8..252...255)
