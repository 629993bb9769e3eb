-- Rows that a cell takes, fills, chooses or changes: all engines alike, at every length.

def table (n: i64) (m: i64) : [n][m]i32 = tabulate_2d n m (\i j -> i32.i64 ((i * 31 + j * 7) % 100))

-- ==
-- entry: taken filled counted chosen several changed ends swapped fallen
-- input { 0i64 5i64 }
-- input { 4i64 0i64 }
-- input { 1i64 1i64 }
-- input { 3i64 2i64 }
-- input { 5i64 16i64 }
-- input { 7i64 17i64 }
-- input { 33i64 40i64 }
-- input { 2i64 1025i64 }
-- input { 300i64 3i64 }

entry taken (n: i64) (m: i64) : [n][m]i32 =
  let rows = table 9 m
  in map (\i -> rows[i * 5 % 9]) (iota n)

entry filled (n: i64) (m: i64) : ([n][m]i64, [n][m]i64, [n][m][2]i32) =
  unzip3 (map (\i ->
                 let x = loop x = i for _k < i % 4 do x * 3 + 1
                 in (replicate m x, map (* x) (iota m), replicate m [i32.i64 i, 7]))
              (iota n))

entry counted (n: i64) (m: i64) : [n][m]i64 = map (\_ -> iota m) (iota n)

entry chosen (n: i64) (m: i64) : [n][m]i32 =
  map2 (\i row ->
          if i % 3 == 0
          then map (* 2) row
          else if i % 3 == 1 then replicate m (i32.i64 i) else reverse row)
       (iota n)
       (table n m)

entry several (n: i64) (m: i64) : ([n][m]i32, [n][m]f64) =
  unzip (map2 (\i row ->
                 match i % 3
                 case 0 -> (row, replicate m 0.5)
                 case 1 -> (map (+ 1) row, map f64.i32 row)
                 case _ -> unzip (map (\x -> (x, f64.i32 x / 2)) row))
              (iota n)
              (table n m))

entry changed (n: i64) (m: i64) : [n][m]i32 =
  map2 (\i row -> if m == 0 then row else copy row with [i % m] = -1) (iota n) (table n m)

-- The later of two updates of one element.
entry ends (n: i64) (m: i64) : [n][m + 1]i32 =
  map (\i -> replicate (m + 1) (i32.i64 i) with [0] = -1 with [m] = -2) (iota n)

-- An update whose value is another element of the row.
entry swapped (n: i64) (m: i64) : [n][m + 2]i32 =
  map (\row -> copy row with [0] = row[m + 1] with [m + 1] = row[0]) (table n (m + 2))

-- Rows that a loop carries.
entry fallen (n: i64) (m: i64) : [n][m]i32 =
  loop rows = table n m
  for k < 3 do
    map2 (\i row -> if (i + k) % 2 == 0 then map (+ 1) row else row) (iota n) rows

-- Outside of the table, and of the row.
-- ==
-- entry: outside
-- input { 2i64 20i64 } error: H7001
-- input { 1i64 20i64 } error: H7001
entry outside (n: i64) (m: i64) : [n][m]i32 =
  map2 (\i row -> if n == 2 then copy row with [m + i - 1] = 0 else (table n m)[i + 1])
       (iota n)
       (table n m)
