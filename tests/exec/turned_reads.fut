-- Maps that read arrays along columns: transposed inputs, indices that change places, and reads that
-- only look so.
def table (n: i64) (m: i64) : [n][m]f32 = tabulate_2d n m (\i j -> f32.i64 (i * 31 + j * 7 % 13))

-- ==
-- entry: added
-- input { 0i64 7i64 }
-- input { 1i64 1i64 }
-- input { 15i64 40i64 }
-- input { 16i64 16i64 }
-- input { 31i64 33i64 }
-- input { 32i64 64i64 }
-- input { 100i64 67i64 }
entry added (n: i64) (m: i64) : [n][m]f32 =
  map2 (map2 (+)) (table n m) (transpose (table m n))

-- Two reads of one array and one of another, of different types.
-- ==
-- entry: several
-- input { 33i64 50i64 }
-- input { 64i64 32i64 }
entry several (n: i64) (m: i64) : [n][m]f64 =
  let xs = table m n
  let ys = tabulate_2d m n (\i j -> i * 3 - j)
  in tabulate_2d n m (\i j -> f64.f32 (xs[j, i] - 2 * xs[m - 1 - j, i]) / f64.i64 (ys[j, i] + 100000) + f64.i64 (i - j))

-- Batches: the two last dimensions, and the first with the last.
-- ==
-- entry: batches
-- input { 3i64 20i64 37i64 }
-- input { 17i64 2i64 40i64 }
-- input { 40i64 33i64 35i64 }
entry batches (a: i64) (n: i64) (m: i64) : ([a][n][m]f32, [a][n][m]i32) =
  let xs = tabulate_3d a m n (\b i j -> f32.i64 (b * 5 + i * 100 - j))
  let ys = tabulate_3d m n a (\i j b -> i32.i64 (b * 7 - i * 10 + j))
  in ( map2 (map2 (map2 (\x y -> x * 0.5 + y))) (tabulate_3d a n m (\b i j -> f32.i64 (b + i + j))) (map transpose xs)
     , tabulate_3d a n m (\b i j -> 2 * ys[j, i, b] + 1)
     )

-- Rows of a slice, every second column, backwards.
-- ==
-- entry: slices
-- input { 40i64 35i64 }
-- input { 16i64 18i64 }
entry slices (n: i64) (m: i64) : ([m][n]f32, [m][n]f32) =
  let xs = table (n + 3) (2 * m)
  in ( map2 (map2 (-)) (table m n) (transpose xs[2:n + 2, m:])
     , map2 (map2 (-)) (table m n) (transpose (reverse (xs[:n, ::2] :> [n][m]f32)))
     )

-- Neighbours of a column, where there are any.
-- ==
-- entry: guarded
-- input { 33i64 40i64 }
-- input { 16i64 70i64 }
entry guarded (n: i64) (m: i64) : [n][m]f32 =
  let xs = table m n
  in map (\row ->
            tabulate m (\j ->
                          (if 0 < j then 0.5 * row[j - 1] else 0)
                          + row[j] * f32.sqrt (f32.i64 j)
                          + (if j < m - 1 then if row[j] < 100 then row[j + 1] else 1 else 2)))
         (transpose xs)

-- Not by tiles: an index read from memory, elements of one byte, diagonals, a failing read.
-- ==
-- entry: others
-- input { 40i64 37i64 }
entry others (n: i64) (m: i64) : ([n][m]f32, [n][m]i8, [n][m]f32) =
  let xs = table m n
  let at = tabulate n (\i -> (i * 7) % n)
  let small = tabulate_2d m n (\i j -> i8.i64 (i + j))
  let line = tabulate (n + m) f32.i64
  in ( tabulate_2d n m (\i j -> xs[j, at[i]] + 1)
     , map2 (map2 (+)) (replicate n (replicate m 3i8)) (transpose small)
     , tabulate_2d n m (\i j -> line[i + j] * 2)
     )

-- ==
-- entry: out_of_range
-- input { 40i64 37i64 }
-- error: out of range
entry out_of_range (n: i64) (m: i64) : [n][m]f32 =
  let xs = table m n
  in tabulate_2d n m (\i j -> xs[j, i + 1])
