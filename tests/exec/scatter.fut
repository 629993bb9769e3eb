-- Indices outside are dropped, negative ones too.
-- tolerance: exact
-- ==
-- input { [0i32, 0i32, 0i32] [2i64, -1i64, 0i64, 3i64, 9223372036854775807i64] [5i32, 6i32, 7i32, 8i32, 9i32] }
-- output { [7i32, 0i32, 5i32] [0i32, 0i32, 0i32] }
-- ==
-- input { empty([0]i32) [0i64] [1i32] }
-- output { empty([0]i32) empty([0]i32) }
entry main [k] [n] (dest: [k]i32) (is: [n]i64) (vs: [n]i32) : ([k]i32, [k]i32) =
  (scatter (copy dest) is vs, dest)
