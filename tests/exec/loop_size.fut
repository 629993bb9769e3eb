-- A carried array whose size changes.
-- tolerance: exact
-- ==
-- input { 3i64 }
-- output { [1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64] 8i64 }
entry main (n: i64) : ([]i64, i64) =
  let a = loop a = [1i64] for _i < n do a ++ a
  in (a, length a)
