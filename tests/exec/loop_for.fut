-- `for i < n`: none for a bound of zero or below; the variable has the bound's type.
-- tolerance: exact
-- ==
-- input { 5i64 }
-- output { 10i64 120i32 }
-- ==
-- input { 0i64 }
-- output { 0i64 1i32 }
-- ==
-- input { -3i64 }
-- output { 0i64 1i32 }
entry main (n: i64) : (i64, i32) =
  let s = loop s = 0i64 for i < n do s + i
  let f = loop f = 1i32 for i < i32.i64 n do f * (i + 1)
  in (s, f)
