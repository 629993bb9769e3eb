-- Shifts whose counts are known to be below the width by the code that makes them, and counts that
-- are not: one more than a mask, negative rests, sums and products that wrap.
-- ==
-- entry: known
-- input { [0u32, 1, 5, 0x80000000, 0xffffffff, 0x12345678] [0u8, 7, 31, 200, 255, 128] }
-- output { [0u32, 256u32, 1280u32, 2147483648u32, 4278190080u32, 305419896u32] [0u32, 0u32, 0u32, 16777216u32, 1u32, 2386092u32] [0u32, 1u32, 40u32, 0u32, 2147483648u32, 1450704896u32] [0i32, 0i32, 0i32, -8388608i32, -1i32, 305419896i32] [0u32, 33554432u32, 83886080u32, 0u32, 4278190080u32, 4026531840u32] [0u8, 128u8, 128u8, 200u8, 128u8, 128u8] [0u32, 0u32, 0u32, 2147483648u32, 536870911u32, 305419896u32] }
-- ==
-- entry: unknown
-- input { [0i64, 1, -1, 63, 64, -64, 9223372036854775807] [5i64, -5, 70, -70, 1, 2, 3] }
-- output { [10i64, -20i64, 0i64, 0i64, 2i64, 4i64, 0i64] [5i64, -3i64, 0i64, -1i64, 1i64, 2i64, 0i64] [5i64, -3i64, 0i64, -1i64, 1i64, 2i64, 0i64] [5i64, -2i64, 0i64, -1i64, 1i64, 2i64, 0i64] [5i64, -10i64, 0i64, 0i64, 0i64, 0i64, 0i64] [5i8, -10i8, 0i8, 0i8, 0i8, 0i8, -128i8] }
-- ==
-- entry: digits
-- input { 0xfedcba9876543210u64 }
-- output { [0u64, 1u64, 2u64, 3u64, 4u64, 5u64, 6u64, 7u64, 8u64, 9u64, 10u64, 11u64, 12u64, 13u64, 14u64, 15u64] }

entry known [n] (xs: [n]u32) (bs: [n]u8) =
  ( map (\x -> x << (8 * (x & 3))) xs
  , map (\x -> x >> (8 * (x & 3) + 7)) xs
  , map2 (\x b -> x << u32.u8 (b >> 3)) xs bs
  , map2 (\x b -> i32.u32 x >> i32.u8 (b % 32)) xs bs
  , map (\x -> x << ((x % 5) ^ 24)) xs
  , map (\b -> b << (b & 7)) bs
  , map (\x -> x >> (if x > 9 then x & 3 else 31)) xs
  )

entry unknown [n] (xs: [n]i64) (ys: [n]i64) =
  ( map2 (\x y -> y << ((x & 63) + 1)) xs ys
  , map2 (\x y -> y >> (x %% 64)) xs ys
  , map2 (\x y -> y >> (x % 64)) xs ys
  , map2 (\x y -> y >> ((x & 63) * 2)) xs ys
  , map2 (\x y -> y << (i64.i32 (i32.i64 x) & 255)) xs ys
  , map2 (\x y -> i8.i64 y << i8.i64 (x % 200)) xs ys
  )

entry digits (x: u64) : [16]u64 =
  (loop (out, rest) = (replicate 16 0, x) for k < 16i64 do (out with [k] = (rest >> (4 * u64.i64 k)) & 15, rest)).0
