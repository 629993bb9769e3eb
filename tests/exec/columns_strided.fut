-- Sums of short columns: runs whose lanes are at a stride, so that neighbouring invocations read neighbours.

def table (n: i64) (m: i64) : [n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 13 + i * j) % 64) - 20)

-- ==
-- entry: sums products highest ordered
-- input { 0i64 5i64 }
-- input { 31i64 7i64 }
-- input { 32i64 1i64 }
-- input { 33i64 300i64 }
-- input { 64i64 64i64 }
-- input { 127i64 9i64 }
-- input { 128i64 33i64 }
-- input { 300i64 100i64 }
-- input { 512i64 8i64 }
-- input { 513i64 3i64 }
entry sums (n: i64) (m: i64) : [m]i32 = map i32.sum (transpose (table n m))

-- With a map in front and code behind.
entry products (n: i64) (m: i64) : [3][m]i32 =
  map (\a -> map (\c -> 1 + i32.sum (map2 (*) a c)) (transpose (table n m))) (table 3 n)

-- Several values.
entry highest (n: i64) (m: i64) : ([m]i32, [m]i64) =
  unzip (map (\c ->
                reduce_comm (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j))
                            (i32.lowest, i64.highest)
                            (zip c (iota n)))
             (transpose (table n m)))

-- An operator that does not commute.
entry ordered (n: i64) (m: i64) : [m](i32, i32) =
  map (\c -> reduce (\(a, b) (p, q) -> (a * p, b * p + q)) (1, 0) (map (\x -> (x % 3, x)) c))
      (transpose (table n m))
