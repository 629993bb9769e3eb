-- Updates of rows, columns, fields of records and tuples, and arrays of tuples.
-- tolerance: exact
-- ==
-- input { [[1i32,2i32],[3i32,4i32]] }
-- output { [[1i32, 9i32], [7i32, 8i32]] [[0i32, 0i32], [7i32, 8i32]] [[100i32, 9i32], [7i32, 8i32]] [[1i32, 5i32], [7i32, 6i32]] [0i64, 10i64, 2i64] [1i32, 20i32, 3i32] }
entry main [n] [m] (xss: *[n][m]i32) =
  let xss[0, 1] = 9
  let xss[1] = [7, 8] :> [m]i32
  let yss = copy xss with [0] = replicate m 0
  let r = {a = copy xss, b = 1i32}
  let r = r with a[0, 0] = 100
  let t = (copy xss, 2i32)
  let zs = t.0 with [:, 1] = ([5, 6] :> [n]i32)
  let ps = zip (iota 3) [1i32, 2, 3] with [1] = (10, 20)
  in (xss, yss, r.a, zs, unzip ps)
