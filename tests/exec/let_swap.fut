-- The right side of a pattern is evaluated before anything is bound.
-- tolerance: exact
-- ==
-- input { 1i64 2i64 }
-- output { 2i64 1i64 }
entry main (a: i64) (b: i64) : (i64, i64) =
  let (a, b) = (b, a)
  in (a, b)
