-- Updates through strides check their first and last place; of no places nothing is checked.
-- ==
-- entry: d1
-- input { 1i64 2i64 } output { [0, 9, 0, 9, 0, 9] }
-- input { 5i64 -2i64 } output { [0, 9, 0, 9, 0, 9] }
-- input { 2i64 2i64 } error: H7001
-- input { -1i64 1i64 } error: H7001
entry d1 (offset: i64) (s: i64) = intrinsics.flat_update_1d (replicate 6 0i32) offset s [9, 9, 9]

-- ==
-- entry: d2
-- input { 0i64 3i64 1i64 } output { [1, 2, 0, 3, 4, 0] }
-- input { 3i64 3i64 1i64 } error: H7001
-- input { 3i64 -4i64 1i64 } error: H7001
entry d2 (offset: i64) (s: i64) (t: i64) =
  intrinsics.flat_update_2d (replicate 6 0i32) offset s t [[1, 2], [3, 4]]

-- ==
-- entry: d4
-- input { 0i64 } output { [7, 8, 0] }
-- input { 2i64 } error: H7001
entry d4 (offset: i64) = intrinsics.flat_update_4d (replicate 3 0i32) offset 1 1 1 1 [[[[7, 8]]]]

-- ==
-- entry: none
-- input { 9i64 } output { [0, 0] }
entry none (offset: i64) = intrinsics.flat_update_1d (replicate 2 0i32) offset 1 []
