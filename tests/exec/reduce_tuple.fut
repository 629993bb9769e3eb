-- argmax: a reduction over tuples.
-- tolerance: exact
-- ==
-- input { [3i32, 9i32, 4i32, 9i32] }
-- output { 9i32 1i64 }
-- ==
-- input { [7i32] }
-- output { 7i32 0i64 }
entry main [n] (a: [n]i32) : (i32, i64) =
  reduce (\(x, i) (y, j) -> if x > y || (x == y && i < j) then (x, i) else (y, j))
         (i32.lowest, n)
         (zip a (iota n))
