-- transpose exchanges the two outer dimensions only.
-- tolerance: exact
-- ==
-- input { [[[1i32, 2i32], [3i32, 4i32]], [[5i32, 6i32], [7i32, 8i32]], [[9i32, 10i32], [11i32, 12i32]]] }
-- output { [[[1i32, 2i32], [5i32, 6i32], [9i32, 10i32]], [[3i32, 4i32], [7i32, 8i32], [11i32, 12i32]]]
--   [[[1i32, 3i32], [2i32, 4i32]], [[5i32, 7i32], [6i32, 8i32]], [[9i32, 11i32], [10i32, 12i32]]] }
entry main [n] [m] [k] (a: [n][m][k]i32) : ([m][n][k]i32, [n][k][m]i32) = (transpose a, map transpose a)
