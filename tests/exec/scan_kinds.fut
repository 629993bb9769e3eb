-- Inclusive scans of scalars, tuples and rows.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32, 3i32] [[1i32, 2i32], [3i32, 4i32]] }
-- output { [1i32, 3i32, 6i32] [1i32, 2i32, 6i32] [1i32, 2i32, 3i32] [[1i32, 2i32], [4i32, 6i32]] }
-- ==
-- input { empty([0]i32) empty([0][2]i32) }
-- output { empty([0]i32) empty([0]i32) empty([0]i32) empty([0][2]i32) }
entry main [n] [m] [k] (a: [n]i32) (rows: [m][k]i32) : ([n]i32, [n]i32, [n]i32, [m][k]i32) =
  let (xs, ys) = unzip (scan (\(x, i) (y, j) -> (x * y, i32.max i j)) (1, 0) (zip a a))
  in (scan (+) 0 a, xs, ys, scan (map2 (+)) (replicate k 0) rows)
