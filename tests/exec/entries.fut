-- Several entries; one without parameters; results as single values, tuples, nested tuples.
-- tolerance: exact
-- ==
-- entry: one
-- input { 1i32 }
-- output { 2i32 }
-- ==
-- entry: none
-- input { }
-- output { [1i64, 2i64] }
-- ==
-- entry: pair
-- input { 5i32 }
-- output { 5i32 [5i32] }
-- ==
-- entry: given
-- input { [1i32, 2i32] }
-- output { [2i32, 3i32] }
entry one (x: i32) : i32 = x + 1
entry none : [2]i64 = [1, 2]
entry pair (x: i32) : (i32, [1]i32) = (x, [x])
entry given [n] (xs: [n]i32) : [n]i32 = map one xs
