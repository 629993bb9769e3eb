-- `& | ^ !` on integers, and bit counts.
-- tolerance: exact
-- ==
-- entry: bits_u8
-- input { [12u8, 255u8, 0u8] [10u8, 1u8, 7u8] }
-- output { [8u8, 1u8, 0u8] [14u8, 255u8, 7u8] [6u8, 254u8, 7u8] [243u8, 0u8, 255u8] }
-- ==
-- entry: bits_i32
-- input { [12i32, -1i32, 0i32] [10i32, 1i32, -7i32] }
-- output { [8i32, 1i32, 0i32] [14i32, -1i32, -7i32] [6i32, -2i32, -7i32] [-13i32, 0i32, -1i32] }
-- ==
-- entry: counts
-- input { [0i32, 1i32, -1i32, 40i32] }
-- output { [0i32, 1i32, 32i32, 2i32] [32i32, 31i32, 0i32, 26i32] [32i32, 0i32, 0i32, 3i32] }
entry bits_u8 [n] (a: [n]u8) (b: [n]u8) =
  (map2 (&) a b, map2 (|) a b, map2 (^) a b, map (\x -> !x) a)

entry bits_i32 [n] (a: [n]i32) (b: [n]i32) =
  (map2 (&) a b, map2 (|) a b, map2 (^) a b, map (\x -> !x) a)

entry counts [n] (a: [n]i32) = (map i32.popc a, map i32.clz a, map i32.ctz a)
