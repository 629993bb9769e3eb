-- Straight bodies with an array for each iteration: optimised code let iterations share it.
-- ==
-- input { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64, 13i64, 14i64,
--          15i64, 16i64, 17i64, 18i64, 19i64, 20i64, 21i64, 22i64, 23i64, 24i64, 25i64, 26i64, 27i64] }
-- output { [0, 2, -2, 7, 4, 6, -2, 7, 8, 10, -2, 7, 12, 14, -2, 7, 16, 18, -2, 7, 20, 22, -2, 7, 24, 26, -2, 7] }
def main [n] (xs: [n]i64) =
  let rows =
    map2 (map2 (\x c -> let ys = [c, c + 1, -2, 7] in ys[x & 3]))
         [xs]
         [map i32.i64 xs]
  in rows[0]
