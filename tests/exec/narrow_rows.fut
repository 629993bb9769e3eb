-- Cells that read and write rows of few elements, around the borders of workgroups: sizes known and
-- unknown, odd and even.
entry data (n: i64) (m: i64) : [n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 ((i * 7919 + j * 104729) % 1013))

entry reals (n: i64) : ([n][3]f64, [n][3]f64) =
  (map (map f64.i32) (data n 3), map (map f64.i32) (reverse (data n 3)))

entry planes (n: i64) : [n][3][3]i32 = unflatten_3d (flatten (data n 9)) :> [n][3][3]i32
entry numbers (n: i64) : [n]i64 = iota n

-- ==
-- entry: sums
-- script input { data 0i64 5i64 } auto output
-- script input { data 1i64 2i64 } auto output
-- script input { data 127i64 3i64 } auto output
-- script input { data 128i64 4i64 } auto output
-- script input { data 129i64 15i64 } auto output
-- script input { data 300i64 16i64 } auto output
-- script input { data 300i64 17i64 } auto output
-- script input { data 300i64 1i64 } auto output
-- script input { data 300i64 0i64 } auto output
entry sums [n] [m] (xs: [n][m]i32) : ([n]i32, [n]i32) =
  unzip (map (\row -> (i32.sum row, i32.maximum (map (* 3) row))) xs)

-- ==
-- entry: least
-- script input { data 129i64 3i64 } auto output
-- script input { data 300i64 8i64 } auto output
-- script input { data 4i64 0i64 } auto output
entry least [n] [m] (xs: [n][m]i32) : ([n]i32, [n]i64) =
  let less (a: i32, i: i64) (b, j) = if a < b || (a == b && i < j) then (a, i) else (b, j)
  in unzip (map (\row -> reduce less (i32.highest, -1) (zip row (iota m))) xs)

-- ==
-- entry: scans
-- script input { data 129i64 3i64 } auto output
-- script input { data 300i64 6i64 } auto output
-- script input { data 128i64 16i64 } auto output
-- script input { data 2i64 0i64 } auto output
entry scans [n] [m] (xs: [n][m]i32) : ([n][m]i32, [m][n]i32) =
  (map (scan (+) 0) xs, transpose (map (scan i32.max 0) xs))

-- ==
-- entry: normalised
-- script input { data 129i64 3i64 } auto output
-- script input { data 257i64 8i64 } auto output
-- script input { data 0i64 8i64 } auto output
entry normalised [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  map (\row -> let s = 1 + i32.sum row in map (\x -> x * 1000 / s) row) xs

-- Two arrays of rows in, two out, and a number.
-- ==
-- entry: particles
-- script input { reals 0i64 } auto output
-- script input { reals 1i64 } auto output
-- script input { reals 128i64 } auto output
-- script input { reals 385i64 } auto output
entry particles [n] (ps: [n][3]f64) (vs: [n][3]f64) : ([n][3]f64, [n][3]f64, [n]f64) =
  unzip3 (map2 (\p v ->
                  let r = p[0] + p[1] * 2 + p[2] * 4
                  let v = map2 (\v p -> v * 0.5 + p) v p
                  in (map2 (\p v -> p + 0.25 * v) p v, v, r))
               ps
               vs)

-- Rows of 8-byte elements, made of arrays.
-- ==
-- entry: pairs
-- script input { numbers 130i64 } auto output
entry pairs [n] (xs: [n]i64) : [n][2]i64 = map (\x -> [x, 3 - x]) xs

-- ==
-- entry: products
-- script input { planes 0i64 } auto output
-- script input { planes 43i64 } auto output
-- script input { planes 200i64 } auto output
entry products [n] (ms: [n][3][3]i32) : ([n][3][3]i32, [n][3]i32) =
  ( map2 (\a b -> map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a) ms (reverse ms)
  , map2 (\m v -> map (\r -> i32.sum (map2 (*) r v)) m) ms (map (\m -> m[1]) ms)
  )

-- A place that only the data know, in range and not.
-- ==
-- entry: picked
-- script input { (data 130i64 4i64, numbers 4i64) } auto output
-- script input { (data 130i64 4i64, numbers 5i64) } error: out of range
entry picked [n] [k] (xs: [n][4]i32) (places: [k]i64) : [n]i32 =
  map2 (\row i -> row[places[i % k]]) xs (iota n)

-- Views: rows in another order, of another array, parts of rows.
-- ==
-- entry: views
-- script input { (data 140i64 4i64, data 4i64 140i64) } auto output
entry views [n] (xs: [n][4]i32) (ys: [4][n]i32) : ([n]i32, [n]i32, []i32) =
  let sum (row: []i32) = row[0] * 3 + row[1]
  in (map sum (reverse xs), map sum (transpose ys), map sum xs[3:, 1:3])

-- Rows inside of two levels: pixels of a picture, and sums of them.
entry picture (n: i64) (m: i64) : [n][m][3]i32 = unflatten_3d (flatten (data n (m * 3))) :> [n][m][3]i32

-- ==
-- entry: pixels
-- script input { picture 0i64 5i64 } auto output
-- script input { picture 7i64 19i64 } auto output
-- script input { picture 3i64 128i64 } auto output
entry pixels [n] [m] (xs: [n][m][3]i32) : ([n][m][3]i32, [n][m]i32) =
  let turned (p: [3]i32): [3]i32 = let s = p[0] + p[1] * 2 in map (\x -> x - s) p
  in (map (map turned) xs, map (map (\p -> reduce (\a b -> a * 3 - b) 1 p)) xs)
