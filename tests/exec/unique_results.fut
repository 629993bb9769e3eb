-- The memory that a function's result may share decides about its consumption.
-- ==
-- entry: inferred
-- input { [1, 2, 3] } output { [9, 2, 3] [1, 2, 3] }
-- ==
-- entry: annotated
-- input { [1, 2, 3] } output { [9, 3, 4] [1, 2, 3] }
-- ==
-- entry: parts
-- input { 3i64 } output { [9i64, 1i64, 2i64] [0i64, 8i64, 2i64] }
-- ==
-- entry: scalars
-- input { [4, 5] } output { 4 [0, 5] }
-- ==
-- entry: handed_on
-- input { [4, 5] } output { [7, 5] }
-- ==
-- entry: locals
-- input { 3i64 } output { [9i64, 2i64, 3i64] [1i64, 2i64, 3i64] }
def bump (xs: []i32) = map (+ 1) xs
def bump' [n] (xs: [n]i32) : *[n]i32 = map (+ 1) xs
def two (n: i64) = (iota n, iota n)
def head' [n] 't (xs: [n]t) = xs[0]
def set (xs: *[]i32) (v: i32) = xs with [0] = v

entry inferred [n] (xs: [n]i32) =
  let ys: [n]i32 = map id xs
  let ys[0] = 9
  in (ys, xs)

entry annotated (xs: []i32) =
  let ys = bump' xs
  let ys[0] = 9
  in (ys, xs)

entry parts (n: i64) =
  let (a, b) = two n
  let a[0] = 9
  let b[1] = 8
  in (a, b)

entry scalars (xs: *[]i32) =
  let x = head' xs
  let xs[0] = 0
  in (x, xs)

entry handed_on (xs: *[]i32) = set (set xs 5) 7

entry locals (n: i64) =
  let make (k: i64) = map (+ k) (iota n)
  let xs = make 1
  let ys = make 1
  let xs[0] = 9
  in (xs, ys)
