-- Local functions, also polymorphic ones and ones that are used at several sizes.
-- tolerance: exact
-- ==
-- input { 2i32 [1i32, 2i32, 3i32] [true, false] }
-- output { [2i32, 4i32, 6i32] 3i64 2i64 }
entry main [n] [m] (k: i32) (a: [n]i32) (b: [m]bool) : ([n]i32, i64, i64) =
  let scale x = k * x
  let count 't [l] (_: [l]t): i64 = l
  in (map scale a, count a, count b)
