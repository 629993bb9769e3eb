-- Initial values left out: those of the variables of the same names.
-- tolerance: exact
-- ==
-- input { 3i32 }
-- output { 24i32 1i32 }
entry main (x: i32) : (i32, i32) =
  let y = 1
  let (x, y) = loop (x, y) for _i < 3i32 do (x * 2, y * y)
  in (x, y)
