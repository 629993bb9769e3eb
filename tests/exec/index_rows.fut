-- Partial indexing gives rows; the same cell by three roads.
-- tolerance: exact
-- ==
-- input { [[[1i32, 2i32], [3i32, 4i32]], [[5i32, 6i32], [7i32, 8i32]]] }
-- output { [[5i32, 6i32], [7i32, 8i32]] [7i32, 8i32] 7i32 7i32 7i32 }
entry main [n] [m] [k] (a: [n][m][k]i32) : ([m][k]i32, [k]i32, i32, i32, i32) =
  (a[1], a[1, 1], a[1, 1, 0], a[1][1][0], a[1, 1][0])
