-- Rows that a parallel kernel makes and the next one works on in place, cell by cell.
-- ==
-- entry: updated
-- input { 4i64 [3i64, 5i64, 2i64] [1, 2, 3, 4] }
-- output { [[7, 17, 30, 42], [17, 33, 54, 66], [5, 12, 18, 26]] }
-- input { 4i64 empty([0]i64) [1, 2, 3, 4] }
-- output { empty([0][4]i32) }

-- ==
-- entry: counted
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] [0i64, 3i64] }
-- output { [[11, 2, 3, 4], [5, 6, 7, 34]] [10, 26] }

entry updated [n] (m: i64) (ks: [n]i64) (ws: [m]i32) =
  map (\k ->
         let ys = map (\w -> w * i32.i64 k) ws
         let s = i32.sum ys
         let zs =
           loop ys = ys with [0] = s
           for i < k do
             ys with [i % m] = ys[(i + 1) % m] + 1
         in scan (+) 0 zs)
      ks

entry counted [n] [m] (xss: [n][m]i32) (places: [n]i64) =
  unzip (map2 (\xs i ->
                 let total = i32.sum xs
                 let ys = map (\x -> if x > 100 then total else x) xs
                 in (reduce_by_index ys (+) 0 [i] [total], total))
              xss
              places)
