-- `for x in xs`, also over rows and tuples.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32, 3i32] [[1i32, 2i32], [3i32, 4i32]] }
-- output { 123i32 10i32 14i32 }
-- ==
-- input { empty([0]i32) empty([0][2]i32) }
-- output { 0i32 0i32 0i32 }
entry main [n] [m] (xs: [n]i32) (rows: [m][2]i32) : (i32, i32, i32) =
  let digits = loop d = 0i32 for x in xs do d * 10 + x
  let total = loop t = 0i32 for row in rows do t + row[0] + row[1]
  let squares = loop t = 0i32 for (x, y) in zip xs xs do t + x * y
  in (digits, total, squares)
