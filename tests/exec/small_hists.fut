-- Histograms of bytes and 16-bit integers whose bins begin alike are counted in words.
-- ==
-- entry: bytes
-- input { [0i64, 1i64, 1i64, 5i64, -1i64, 0i64] [200u8, 100u8, 200u8, 1u8, 1u8, 100u8] }
-- output { [47u8, 47u8, 3u8] }
-- ==
-- entry: bytes
-- input { empty([0]i64) empty([0]u8) }
-- output { [3u8, 3u8, 3u8] }
-- ==
-- entry: least
-- input { [0i64, 1i64, 1i64, 0i64] [-5i8, 100i8, -128i8, 7i8] }
-- output { [-5i8, -128i8, 127i8] }
-- ==
-- entry: planes
-- input { [0i64, 1i64, 1i64, 3i64] [-5i16, 32767i16, 1i16, 7i16] }
-- output { [[-5i16, 0i16], [0i16, -32761i16]] }
-- ==
-- entry: flags
-- input { [0i64, 1i64, 1i64, 0i64] [6u16, 3u16, 8u16, 5u16] }
-- output { [4u16, 0u16] [6u16, 2u16] }
-- ==
-- entry: twice
-- input { [0i64, 1i64, 1i64] }
-- output { [1u8, 2u8] [0u8, 0u8] }
entry bytes [n] (is: [n]i64) (xs: [n]u8) : [3]u8 =
  reduce_by_index (replicate 3 3u8) (+) 0 is xs

entry least [n] (is: [n]i64) (xs: [n]i8) : [3]i8 =
  reduce_by_index (replicate 3 i8.highest) i8.min i8.highest is xs

entry planes [n] (is: [n]i64) (xs: [n]i16) : [2][2]i16 =
  reduce_by_index_2d (replicate 2 (replicate 2 0i16)) (+) 0 (map (\i -> (i / 2, i % 2)) (map2 (\i x -> if x == 32767 || x == 1 then 3 else i) is xs)) xs

entry flags [n] (is: [n]i64) (xs: [n]u16) : ([2]u16, [2]u16) =
  ( reduce_by_index (replicate 2 u16.highest) (&) u16.highest is xs
  , reduce_by_index (replicate 2 0xffffu16) (&) u16.highest is (map (| 2) xs)
  )

entry twice [n] (is: [n]i64) : ([2]u8, [2]u8) =
  let zeros = replicate 2 0u8
  in (reduce_by_index (copy zeros) (+) 0 is (replicate n 1), zeros)
