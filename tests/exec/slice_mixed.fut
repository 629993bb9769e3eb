-- Indices and slices in one list, read and updated; arrays of tuples.
-- tolerance: exact
-- ==
-- entry: s7
-- input { [[1,2,3],[4,5,6],[7,8,9]] 1i64 2i64 }
-- output { [4i32, 5i32, 6i32] [2i32, 5i32, 8i32] [2i32, 5i32] [4i32, 5i32] [[5i32, 6i32], [8i32, 9i32]] [6i32, 5i32, 4i32] [2i32, 8i32] }
-- input { [[1,2,3],[4,5,6],[7,8,9]] 3i64 2i64 }
-- error: index `\[3]` is out of range for an array of shape `\[3]`.*H7001
-- input { [[1,2,3],[4,5,6],[7,8,9]] 1i64 4i64 }
-- error: slice `\[0:4]` is out of range for a dimension of size `3`.*H7002
-- input { [[1,2,3],[4,5,6],[7,8,9]] 1i64 3i64 }
-- output { [4i32, 5i32, 6i32] [2i32, 5i32, 8i32] [2i32, 5i32, 8i32] [4i32, 5i32, 6i32] [[5i32, 6i32], [8i32, 9i32]] [6i32, 5i32, 4i32] [2i32, 8i32] }
-- tolerance: exact
-- ==
-- entry: u1
-- input { [[1,2,3],[4,5,6],[7,8,9]] 1i64 2i64 }
-- output { [[1i32, 1i32, 3i32], [2i32, 2i32, 7i32], [7i32, 8i32, 9i32]] }
-- input { [[1,2,3],[4,5,6],[7,8,9]] 3i64 2i64 }
-- error: index `\[3]` is out of range for an array of shape `\[3]`.*H7001
-- input { [[1,2,3],[4,5,6],[7,8,9]] 1i64 4i64 }
-- error: slice `\[0:4]` is out of range for a dimension of size `3`.*H7002
-- tolerance: exact
-- ==
-- entry: u2
-- input { [1,2,3] [1f32,2f32,3f32] 1i64 2i64 }
-- output { [1i32, 9i32, 3i32] [1.0f32, 9.0f32, 3.0f32] }
-- input { [1,2,3] [1f32,2f32,3f32] 1i64 3i64 }
-- output { [1i32, 9i32, 9i32] [1.0f32, 9.0f32, 9.0f32] }

entry s7 (xs: [][]i32) (i: i64) (j: i64) = (xs[i, :], xs[:, i], xs[0:j, i], xs[i, 0:j], xs[1:, 1:], xs[i, ::-1], xs[::2, i])
entry u1 [n] (xs: *[n][n]i32) (i: i64) (j: i64) = let xs[0:j, i] = replicate j 7 let xs[i] = copy xs[:, 0] let xs[0:2, 0:2] = [[1, 1], [2, 2]] in xs
entry u2 [n] (xs: *[n]i32) (ys: *[n]f32) (i: i64) (j: i64) = let zs = zip xs ys let zs[i:j] = replicate (j - i) (9, 9f32) let zs[0] = (1, 1f32) in unzip zs
