-- Strided parts of an array under the names that Futhark's compiler has for them.
-- ==
-- entry: indices
-- input { [0i32, 1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32] }
-- output { [1i32, 4i32, 7i32] [[0i32, 4i32], [1i32, 5i32]]
--          [[[0i32, 1i32], [2i32, 3i32]], [[4i32, 5i32], [6i32, 7i32]]] [[[[7i32]]], [[[6i32]]]] }
entry indices [n] (xs: [n]i32) : ([3]i32, [2][2]i32, [2][2][2]i32, [2][1][1][1]i32) =
  ( intrinsics.flat_index_1d xs 1 3 3
  , intrinsics.flat_index_2d xs 0 2 1 2 4
  , intrinsics.flat_index_3d xs 0 2 4 2 2 2 1
  , intrinsics.flat_index_4d xs 7 2 (-1) 1 0 1 0 1 0
  )

-- ==
-- entry: updates
-- input { 8i64 }
-- output { [0i32, 9i32, 0i32, 0i32, 9i32, 0i32, 0i32, 0i32]
--          [1i32, 2i32, 0i32, 0i32, 3i32, 4i32, 0i32, 0i32]
--          [1i32, 0i32, 2i32, 0i32, 3i32, 0i32, 4i32, 0i32]
--          [0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 5i32] }
entry updates (n: i64) : ([n]i32, [n]i32, [n]i32, [n]i32) =
  ( intrinsics.flat_update_1d (replicate n 0) 1 3 [9, 9]
  , intrinsics.flat_update_2d (replicate n 0) 0 4 1 [[1, 2], [3, 4]]
  , intrinsics.flat_update_3d (replicate n 0) 0 4 2 1 [[[1], [2]], [[3], [4]]]
  , intrinsics.flat_update_4d (replicate n 0) 7 1 1 1 1 [[[[5]]]]
  )

-- ==
-- entry: outside
-- input { [1i32, 2i32] } error: .*
entry outside [n] (xs: [n]i32) : [2][2]i32 = intrinsics.flat_index_2d xs 0 2 1 2 1
