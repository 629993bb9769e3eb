-- transpose, flatten, unflatten, of matrices, of arrays of tuples, of empty and thin arrays.
-- tolerance: exact
-- ==
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]] [1i32, 2i32, 3i32, 4i32, 5i32, 6i32]
--   [1i32, 4i32, 2i32, 5i32, 3i32, 6i32] [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] }
-- ==
-- input { [[1i32, 2i32, 3i32]] }
-- output { [[1i32], [2i32], [3i32]] [1i32, 2i32, 3i32] [1i32, 2i32, 3i32] [[1i32], [2i32], [3i32]] }
-- ==
-- input { empty([0][3]i32) }
-- output { empty([3][0]i32) empty([0]i32) empty([0]i32) empty([3][0]i32) }
entry main [n] (a: [n][3]i32) : ([3][n]i32, [n * 3]i32, [3 * n]i32, [3][n]i32) =
  (transpose a, flatten a, flatten (transpose a), unflatten (flatten a :> [3 * n]i32))
