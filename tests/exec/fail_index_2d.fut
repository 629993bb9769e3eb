-- All indices of the expression are shown.
-- ==
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] 1i64 5i64 }
-- error: `\[1, 5.`.*`\[2.\[3.`.*H7001
entry main [n] [m] (a: [n][m]i32) (i: i64) (j: i64) : i32 = a[i, j]
