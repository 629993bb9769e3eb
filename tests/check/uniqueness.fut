-- What may be consumed, and what stays usable.
-- ==
-- entry: update
-- input { [1, 2, 3] } output { [9, 2, 3] }
-- ==
-- entry: fresh
-- input { [1, 2, 3] } output { [0, 2, 3] [1, 2, 3] }
-- ==
-- entry: fields
-- input { 3i64 } output { [7i64, 1i64, 2i64] [0i64, 1i64, 2i64] }
-- ==
-- entry: branches
-- input { true 2i64 } output { [5i64, 1i64] }
-- ==
-- entry: loops
-- input { 4i64 } output { [0i64, 1i64, 4i64, 9i64] }
entry update (xs: *[]i32) = xs with [0] = 9
entry fresh (xs: []i32) = let ys = copy xs with [0] = 0 in (ys, xs)

entry fields (n: i64) =
  let pair = (iota n, iota n)
  let first = pair.0 with [0] = 7
  in (first, pair.1)

entry branches (b: bool) (n: i64) =
  let xs = iota n
  in if b then xs with [0] = 5 else xs with [1] = 6

entry loops (n: i64) = loop xs = replicate n 0 for i < n do xs with [i] = i * i
