-- A power of two that has wrapped to 0 is a divisor like any other 0.
-- ==
-- entry: shifted
-- input { 7i32 32i32 }
-- error: division by zero.*H7003
-- ==
-- entry: raised
-- input { [7i64, 8i64] 64i64 }
-- error: division by zero.*H7003
-- ==
-- entry: doubled
-- input { 44u8 }
-- error: division by zero.*H7003
entry shifted (x: i32) (k: i32) : i32 = x / (1 << k)
entry raised [n] (xs: [n]i64) (k: i64) : [n]i64 = map (\x -> x % (2 ** k)) xs

entry doubled (x: u8) : u8 =
  let (s, _) = loop (s, w) = (0, 1) for _i < 9i32 do (s + x / w, w * 2)
  in s
