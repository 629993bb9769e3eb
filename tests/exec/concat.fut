-- `++` and concat, of rows and tuples, with empty sides.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32] [3i32] }
-- output { [1i32, 2i32, 3i32] [3i32, 1i32, 2i32] 3i64 [[1i32, 2i32], [1i32, 2i32], [1i32, 2i32]] }
-- ==
-- input { empty([0]i32) [3i32] }
-- output { [3i32] [3i32] 1i64 empty([3][0]i32) }
entry main [n] [m] (a: [n]i32) (b: [m]i32) =
  (a ++ b, concat b a, length (zip a a ++ zip b b), [a] ++ [a, a])
