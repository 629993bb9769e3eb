-- Slices of several dimensions, mixed with indices; slices of slices.
-- tolerance: exact
-- ==
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32], [7i32, 8i32, 9i32]] }
-- output { [[5i32, 6i32], [8i32, 9i32]] [2i32, 5i32, 8i32] [6i32, 5i32, 4i32] [[9i32, 7i32], [3i32, 1i32]] }
entry main [n] (a: [n][n]i32) : ([][]i32, []i32, []i32, [][]i32) =
  (a[1:, 1:], a[:, 1], a[1, ::-1], (a[::-2])[:, ::-2])
