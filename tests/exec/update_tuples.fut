-- Arrays of tuples: update and index.
-- tolerance: exact
-- ==
-- input { 3i64 }
-- output { [0i64, 10i64, 2i64] [false, true, false] 10i64 }
entry main (n: i64) : ([n]i64, [n]bool, i64) =
  let a = zip (iota n) (replicate n false)
  let a = a with [1] = (10i64, true)
  let (xs, flags) = unzip a
  in (xs, flags, a[1].0)
