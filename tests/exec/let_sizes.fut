-- `let [n]` names a size that only the value knows.
-- tolerance: exact
-- ==
-- input { [3i32, -1i32, 4i32, -5i32] }
-- output { 2i64 [3i32, 4i32] [0i64, 1i64] }
entry main [n] (a: [n]i32) =
  let [k] (positive: [k]i32) = filter (> 0) a
  in (k, positive, iota k)
