-- A path through records in arrays replaces its own field: the arrays beside it stay where they are.
-- ==
-- input { 7 [[1, 2], [3, 4], [5, 6]] }
-- output { [[1, 2], [7, 4], [5, 6]] [[5, 6], [1, 2], [3, 4]] [6, 7, 12] [3, 7, 11] }
-- input { 7 empty([0][2]i32) }
-- error: H7001
type row [m] = {a: [m]i32, rest: {b: [m]i32, s: i32}}

entry main [n] [m] (x: i32) (xss: [n][m]i32) =
  let rs: *[n](row [m]) = map (\xs -> {a = copy xs, rest = {b = copy xs, s = i32.sum xs}}) xss
  let rs = rs with [1].a[0] = x
  let rs = rs with [1].rest.s = i32.sum rs[1].a + rs[0].a[1] * 0 - 4
  let ss = map (.rest.s) rs
  let rs = loop rs for i < n do rs with [i].rest.b = copy xss[(i + n - 1) % n]
  let rs[0].rest.s = rs[1].rest.s - 1
  let rs[2].rest.s = 2 * (rs[0].rest.s)
  in (map (.a) rs, map (.rest.b) rs, map (.rest.s) rs, ss)
