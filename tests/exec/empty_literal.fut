-- Empty arrays keep their inner sizes.
-- tolerance: exact
-- ==
-- input { 0i64 3i64 }
-- output { empty([0][3]i32) empty([3][0]i32) empty([0][3]i64) empty([3][0]i64) 0i64 }
entry main (n: i64) (m: i64) : ([n][m]i32, [m][n]i32, [n][m]i64, [m][n]i64, i64) =
  let a = map (\i -> map (\j -> i32.i64 (i + j)) (iota m)) (iota n)
  let b = map (\i -> map (\j -> i32.i64 (i + j)) (iota n)) (iota m)
  let c = replicate n (iota m)
  in (a, b, c, transpose c, length (flatten c))
