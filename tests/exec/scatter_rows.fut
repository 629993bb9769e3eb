-- Rows and tuples are scattered whole.
-- tolerance: exact
-- ==
-- input { [2i64, 0i64, 7i64] [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] }
-- output { [[3i32, 4i32], [0i32, 0i32], [1i32, 2i32]] [1i64, 0i64, 0i64] [true, false, false] }
entry main [n] [m] (is: [n]i64) (rows: [n][m]i32) : ([3][m]i32, [3]i64, [3]bool) =
  let a = scatter (replicate 3 (replicate m 0)) is rows
  let b =
    scatter (replicate 3 (0i64, false))
            (map (\i -> i - 7 + (if i == 7 then 0 else 100)) is)
            (map (\i -> (i - 6, true)) is)
  let (xs, flags) = unzip b
  in (a, xs, flags)
