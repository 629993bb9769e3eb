-- unflatten needs as many elements as the sizes say.
-- ==
-- input { [1i32, 2i32, 3i32, 4i32] 2i64 2i64 }
-- output { [[1i32, 2i32], [3i32, 4i32]] }
-- ==
-- input { [1i32, 2i32, 3i32] 2i64 2i64 }
-- error: H7006
entry main [k] (a: [k]i32) (n: i64) (m: i64) : [n][m]i32 = unflatten (a :> [n * m]i32)
