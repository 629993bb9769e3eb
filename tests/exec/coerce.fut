-- `:>` checks sizes at run time.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32] 2i64 }
-- output { [1i32, 2i32] }
-- ==
-- input { [1i32, 2i32] 3i64 }
-- error: \[2..*\[3..*H7006
entry main [n] (a: [n]i32) (m: i64) : [m]i32 = a :> [m]i32
