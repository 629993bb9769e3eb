-- Slices of arrays of many dimensions are overwritten, and nests of more than three levels made.
-- tolerance: exact
-- ==
-- entry: blocks
-- input { 3i64 }
-- output { 8640i64 6261i64 }
-- ==
-- entry: columns
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32], [7i32, 8i32, 9i32]] }
-- output { [[10i32, 2i32, 1i32], [40i32, 5i32, 4i32], [70i32, 8i32, 7i32]] }
-- ==
-- entry: five
-- input { 2i64 3i64 }
-- output { [[[[[0i64, 1i64, 2i64], [10i64, 11i64, 12i64]], [[100i64, 101i64, 102i64], [110i64, 111i64, 112i64]]], [[[1000i64, 1001i64, 1002i64], [1010i64, 1011i64, 1012i64]], [[1100i64, 1101i64, 1102i64], [1110i64, 1111i64, 1112i64]]]], [[[[10000i64, 10001i64, 10002i64], [10010i64, 10011i64, 10012i64]], [[10100i64, 10101i64, 10102i64], [10110i64, 10111i64, 10112i64]]], [[[11000i64, 11001i64, 11002i64], [11010i64, 11011i64, 11012i64]], [[11100i64, 11101i64, 11102i64], [11110i64, 11111i64, 11112i64]]]]] }

def weighted [n] [m] (xs: [n][m]i64) = i64.sum (map2 (\row i -> (i + 1) * i64.sum row) xs (iota n))

entry blocks (n: i64) =
  let a = tabulate_3d n n 6 (\i j k -> replicate 6 (i * 36 + j * 6 + k))
  let a =
    loop a for step < n - 1 do
      let inner = map (map (map (map (+ 1)))) a[step + 1:, step + 1:]
      let row = map (map (map (* 2))) a[step, step + 1:]
      let a[step, step + 1:] = row
      let a[step + 1:, step + 1:] = inner
      in a
  in (i64.sum (flatten_4d a) / 2, weighted (flatten (flatten a)) / 100)

entry columns [n] (xs: [n][n]i32) =
  let ys = copy xs
  let ys[:, 2] = xs[:, 0]
  let ys[:, 0] = map (* 10) xs[:, 0]
  in ys

entry five (n: i64) (m: i64) =
  map (\a -> map (\b -> map (\c -> map (\d -> map (\e -> (((a * 10 + b) * 10 + c) * 10 + d) * 10 + e) (iota m)) (iota n)) (iota n)) (iota n)) (iota n)
