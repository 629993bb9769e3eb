-- Dynamic programs that fill a table row by row: a row is made where it lies if it reads other rows
-- alone, through a copy where it may read its own.

-- ==
-- entry: above two own unknown below planes rows whole
-- input { 2i64 0i64 }
-- input { 2i64 4i64 }
-- input { 5i64 1i64 }
-- input { 6i64 7i64 }

def start (n: i64) (m: i64) : *[n][m]i32 = tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 5) % 11))

-- The row above.
entry above (n: i64) (m: i64) : [n][m]i32 =
  loop t = start n m
  for i < n do
    let row =
      tabulate m (\j ->
                    if i == 0
                    then i32.i64 j
                    else i32.min t[i - 1, i64.max 0 (j - 1)] t[i - 1, i64.min (m - 1) (j + 1)] + 1)
    in t with [i] = row

-- Two rows above, by a loop that begins behind them.
entry two (n: i64) (m: i64) : [n][m]i32 =
  loop t = start n m
  for i in 2..<n do
    t with [i] = tabulate m (\j -> t[i - 1, j] + t[i - 2, m - 1 - j])

-- The row itself, backwards.
entry own (n: i64) (m: i64) : [n][m]i32 =
  loop t = start n m
  for i < n do
    t with [i] = tabulate m (\j -> t[i, m - 1 - j] * 2)

-- Some row.
entry unknown (n: i64) (m: i64) : [n][m]i32 =
  loop t = start n m
  for i < n do
    let k = i * i % n
    in t with [i] = tabulate m (\j -> t[k, m - 1 - j] - t[i - i % 2, j])

-- The row below.
entry below (n: i64) (m: i64) : [n][m]i32 =
  loop t = start n m
  for i < n - 1 do
    t with [i] = tabulate m (\j -> t[i + 1, m - 1 - j] % 5)

-- Rows of rows.
entry planes (n: i64) (m: i64) : [n][3][m]i32 =
  loop t = tabulate n (\_ -> start 3 m)
  for i in 1..<n do
    t with [i] = tabulate_2d 3 m (\k j -> t[i - 1, (k + 1) % 3, m - 1 - j] + 1)

-- A sum of the row above.
entry rows (n: i64) (m: i64) : [n][m]i32 =
  loop t = start n m
  for i in 1..<n do
    t with [i] = tabulate m (\j -> (loop s = 0 for k < j + 1 do s + t[i - 1, k]) % 17)

-- All rows above.
entry whole (n: i64) (m: i64) : [n][m]i32 =
  loop t = start n m
  for i in 1..<n do
    t with [i] = tabulate m (\j -> (loop s = 0 for k < i do s + t[k, m - 1 - j]) % 13)
