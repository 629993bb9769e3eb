-- replicate of scalars, rows and tuples; iota; rep; sizes zero and one.
-- tolerance: exact
-- ==
-- input { 2i64 }
-- output { [0i64, 1i64] [7i32, 7i32] [[0i64, 1i64, 2i64], [0i64, 1i64, 2i64]] [1i32, 1i32] [true, true] [5i32, 5i32] }
-- ==
-- input { 1i64 }
-- output { [0i64] [7i32] [[0i64, 1i64, 2i64]] [1i32] [true] [5i32] }
-- ==
-- input { 0i64 }
-- output { empty([0]i64) empty([0]i32) empty([0][3]i64) empty([0]i32) empty([0]bool) empty([0]i32) }
entry main (n: i64) : ([n]i64, [n]i32, [n][3]i64, [n]i32, [n]bool, [n]i32) =
  let (xs, bs) = unzip (replicate n (1i32, true))
  in (iota n, replicate n 7i32, replicate n (iota 3), xs, bs, rep 5i32)
