-- What stands last takes the type behind it, and everything else that follows.
-- ==
-- input { 3 } output { [2, 3] 7i64 3 9 [3, 2] }
def main (x: i32) =
  (map (\y -> y + 1 : i32) [1, 2],
   let y = 3 in i64.i32 x + y + 1 : i64,
   1 + if x == 3 then 2 else 5 : i32,
   x * loop a = 0 while a < 3 do a + 1 : i32,
   ([1, 2, 3] : [3]i32)[if x > 2 then 2 else 0 : : -1] |> (\ys -> #[unsafe] ys[:2] : []i32))
