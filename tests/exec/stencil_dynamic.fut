-- Offsets from run time, none at all, far outside.
-- tolerance: exact
-- ==
-- input { [-1i64, 1i64] [1i32, 2i32, 4i32] }
-- output { [3i32, 5i32, 6i32] }
-- ==
-- input { empty([0]i64) [1i32, 2i32] }
-- output { [0i32, 0i32] }
-- ==
-- input { [9223372036854775807i64, -9223372036854775808i64] [1i32, 2i32, 4i32] }
-- output { [5i32, 5i32, 5i32] }
entry main [d] [n] (offsets: [d]i64) (xs: [n]i32) : [n]i32 =
  stencil_1d offsets (\_ v -> reduce (+) 0 v) (rep ()) xs
