-- Several carried values; the next ones are all computed from the present ones.
-- tolerance: exact
-- ==
-- input { 10i32 }
-- output { 55i32 89i32 }
entry main (n: i32) : (i32, i32) =
  loop (a, b) = (0i32, 1i32) for _i < n do (b, a + b)
