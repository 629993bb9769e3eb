-- Fields of a record among the values of a program stand in any order.
-- ==
-- entry: main
-- input { {a = 1, b = [2u8, 3u8], c = #y} }
-- output { 6 }
-- input { {c = #x 4, b = [2u8, 3u8], a = 1} }
-- output { 10 }
-- input { {b = [2u8, 3u8], c = #y, a = 1} }
-- output { 6 }

entry main (r: {a: i32, b: [2]u8, c: #x i32 | #y}) : i32 =
  r.a + i32.u8 (u8.sum r.b)
  + (match r.c
     case #x i -> i
     case #y -> 0)
