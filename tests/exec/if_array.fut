-- Branches that are arrays and tuples.
-- tolerance: exact
-- ==
-- input { true [1i32, 2i32] [3i32, 4i32] }
-- output { [1i32, 2i32] 1i32 }
-- ==
-- input { false [1i32, 2i32] [3i32, 4i32] }
-- output { [6i32, 8i32] 2i32 }
entry main [n] (c: bool) (xs: [n]i32) (ys: [n]i32) : ([n]i32, i32) =
  if c then (xs, 1) else (map (\y -> y * 2) ys, 2)
