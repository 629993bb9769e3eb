-- Ranges up, down and the wrong way, of several types.
-- tolerance: exact
-- ==
-- entry: r1
-- input { 0i64 5i64 }
-- output { [0i64, 1i64, 2i64, 3i64, 4i64] [0i64, 1i64, 2i64, 3i64, 4i64, 5i64] }
-- input { 5i64 0i64 }
-- output { [5i64, 4i64, 3i64, 2i64, 1i64] [5i64, 4i64, 3i64, 2i64, 1i64, 0i64] }
-- input { 3i64 3i64 }
-- output { empty([0]i64) [3i64] }
-- input { 3i64 2i64 }
-- output { [3i64] [3i64, 2i64] }
-- tolerance: exact
-- ==
-- entry: r2
-- input { 0i32 2i32 9i32 }
-- output { [0i32, 2i32, 4i32, 6i32, 8i32] }
-- input { 0i32 2i32 10i32 }
-- output { [0i32, 2i32, 4i32, 6i32, 8i32, 10i32] }
-- input { 9i32 7i32 0i32 }
-- output { [9i32, 7i32, 5i32, 3i32, 1i32] }
-- input { 9i32 9i32 0i32 }
-- error: range from `9` to `0` has step 0.*H7008
-- input { 0i32 2i32 -1i32 }
-- error: range from `0` by way of `2` never reaches `-1`.*H7008
-- input { 9i32 7i32 10i32 }
-- error: range from `9` by way of `7` never reaches `10`.*H7008
-- tolerance: exact
-- ==
-- entry: r3
-- input { 0u8 2u8 9u8 }
-- output { [0u8, 2u8, 4u8, 6u8, 8u8] }
-- input { 9u8 7u8 0u8 }
-- output { [9u8, 7u8, 5u8, 3u8, 1u8] }

entry r1 (a: i64) (b: i64) = (if a <= b then (a..<b, a...b) else (a..>b, a..a - 1...b))
entry r2 (a: i32) (b: i32) (c: i32) = (a..b...c)
entry r3 (a: u8) (b: u8) (c: u8) = (a..b...c)
