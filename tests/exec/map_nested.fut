-- Nested maps with captured variables.
-- tolerance: exact
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32]] 10i32 }
-- output { [[11i32, 13i32], [15i32, 17i32]] [3i32, 7i32] }
-- ==
-- input { empty([0][2]i32) 10i32 }
-- output { empty([0][2]i32) empty([0]i32) }
entry main [n] [m] (a: [n][m]i32) (k: i32) : ([n][m]i32, [n]i32) =
  ( map (\row -> map (\x -> x + k + row[0] - 1 - (row[0] - x)) row |> map (\y -> y)) a
    |> map (map (\y -> y))
  , map (\row -> reduce (+) 0 row) a
  )
