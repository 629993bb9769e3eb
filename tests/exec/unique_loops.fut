-- Loops: what is carried, what is lent, what comes out.
-- ==
-- entry: swap
-- input { 3i64 } output { [0i64, 10i64, 2i64] [11i64, 1i64, 2i64] }
-- ==
-- entry: lent
-- input { [1, 2, 3] 2i64 } output { [1, 2, 3] 6 }
-- ==
-- entry: declared
-- input { 4i64 } output { [0i64, 1i64, 3i64, 6i64] }
-- ==
-- entry: whiles
-- input { [5, 0] } output { [0, 5] }
-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] } output { [[4, 2], [3, 4]] }
-- ==
-- entry: records
-- input { 3i64 } output { [1, 1, 1] 3 }
-- ==
-- entry: reads_other
-- input { [1, 2, 3] } output { [6, 2, 3] }
entry swap (n: i64) =
  loop (a, b) = (iota n, iota n)
  for i < n do
    let a[i % 2] = 9 + i
    in (b, a)

entry lent (xs: []i32) (n: i64) =
  let ys = loop ys = xs for _i < n do ys
  in (ys, i32.sum xs)

entry declared (n: i64) =
  loop (xs: *[n]i64) = iota n
  for i < n do
    if i > 0 then xs with [i] = xs[i - 1] + i else xs

entry whiles (xs: *[]i32) : *[]i32 =
  loop xs while xs[0] > 0 do
    let xs[0] = xs[0] - 1
    let xs[1] = xs[1] + 1
    in xs

entry rows (xss: *[][]i32) : *[][]i32 =
  let sum = loop s = 0 for xs in xss do s + xs[0]
  in xss with [0, 0] = sum

entry records (n: i64) =
  let r =
    loop r = {xs = replicate n 0, k = 0}
    for i < n do
      {xs = r.xs with [i] = 1, k = r.k + 1}
  in (r.xs, r.k)

entry reads_other (xs: *[]i32) : *[]i32 =
  let ys = copy xs
  in loop xs for i < 2 do xs with [0] = xs[0] + ys[i + 1]
