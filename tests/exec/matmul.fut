-- Matrix product and its transposes, thin and empty ones too.
-- tolerance: exact
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] [[1i32, 0i32, 2i32], [0i32, 1i32, 1i32]] }
-- output { [[1i32, 2i32, 4i32], [3i32, 4i32, 10i32], [5i32, 6i32, 16i32]] }
-- ==
-- input { empty([2][0]i32) empty([0][2]i32) }
-- output { [[0i32, 0i32], [0i32, 0i32]] }
entry main [n] [m] [p] (a: [n][m]i32) (b: [m][p]i32) : [n][p]i32 =
  map (\row -> map (\column -> i32.sum (map2 (*) row column)) (transpose b)) a
