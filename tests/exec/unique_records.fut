-- Records, tuples and sums are followed part by part.
-- ==
-- entry: update
-- input { 3i64 } output { [5i64, 1i64, 2i64] [0i64, 1i64, 2i64] }
-- ==
-- entry: path
-- input { 3i64 } output { [5i64, 1i64, 2i64] [0i64, 1i64, 2i64] }
-- ==
-- entry: nested
-- input { 3i64 } output { [0i64, 5i64, 2i64] 4 }
-- ==
-- entry: payload
-- input { 3i64 } output { [0i64, 1i64, 9i64] }
-- ==
-- entry: parameter
-- input { 3i64 } output { [0i64, 9i64, 2i64] [0i64, 1i64, 2i64] }
-- ==
-- entry: patterns
-- input { [1, 2] [3, 4] } output { [9, 2] [3, 8] }
entry update (n: i64) =
  let r = {a = iota n, b = iota n}
  let a = r.a with [0] = 5
  let r = r with a = a
  in (r.a, r.b)

entry path (n: i64) =
  let r = {a = iota n, b = iota n}
  let r = r with a[0] = 5
  in (r.a, r.b)

entry nested (n: i64) =
  let r = {p = (iota n, 3), q = 1}
  let (xs, k) = r.p
  let xs[1] = 5
  let s = r with p = (xs, k + r.q)
  in s.p

entry payload (n: i64) : []i64 =
  let s: #arr ([]i64) | #none = #arr (iota n)
  in match s
     case #arr xs -> xs with [n - 1] = 9
     case #none -> []

def both [n] (a: *[n]i64, b: [n]i64) : (*[n]i64, [n]i64) = (a with [1] = 9, b)
entry parameter (n: i64) = both (iota n, iota n)

entry patterns (xs: *[]i32) (ys: *[]i32) =
  let (a, b) = (xs, ys)
  in (a with [0] = 9, b with [1] = 8)
