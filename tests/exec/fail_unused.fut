-- A failure in a value without uses still counts.
-- ==
-- input { [1i32, 2i32] 2i64 }
-- error: `\[2.`.*H7001
-- ==
-- input { [1i32, 2i32] 1i64 }
-- output { 1i32 }
entry main [n] (a: [n]i32) (i: i64) : i32 =
  let _unused = a[i]
  in a[0]
