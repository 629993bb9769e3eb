-- Functions that consume, in all the ways they are called.
-- ==
-- entry: piped
-- input { [1, 2] } output { [6, 2] }
-- ==
-- entry: operators
-- input { [1, 2] } output { [4, 2] }
-- ==
-- entry: partial
-- input { [1, 2] } output { [5, 2] }
-- ==
-- entry: parameter
-- input { [1, 2] } output { [3, 2] }
-- ==
-- entry: lambdas
-- input { [[1, 2], [3, 4]] } output { [[0, 2], [0, 4]] }
-- ==
-- entry: contravariant
-- input { [1, 2] } output { 3 }
-- ==
-- entry: elements
-- input { [1, 2] } output { [3, 2] }
-- ==
-- entry: fields
-- input { 3i64 } output { [7i64, 1i64, 2i64] [0i64, 1i64, 2i64] }
def set (xs: *[]i32) (v: i32) : *[]i32 = xs with [0] = v
def (+<) (xs: *[]i32) (v: i32) : *[]i32 = xs with [0] = v
def using [n] (f: *[n]i32 -> i32) (xs: *[n]i32) : i32 = f xs
entry piped (xs: *[]i32) = (`set` 6) ((`set` 5) xs)
entry operators (xs: *[]i32) = (xs +< 3) `set` 4
entry partial (xs: []i32) = let f v = set (copy xs) v in f 5

entry parameter (xs: *[]i32) =
  let ys = copy xs
  let total = using (\(zs: *[]i32) -> (zs with [0] = 1)[0] + ys[1]) xs
  in set ys total

entry lambdas (xss: [][]i32) = map (\xs -> copy xs with [0] = 0) xss
entry contravariant (xs: *[]i32) = using (\xs -> xs[0] + xs[1]) xs
entry elements (xs: *[]i32) = xs with [0] = xs[0] + xs[1]

entry fields (n: i64) =
  let pair = (iota n, iota n)
  let first = pair.0 with [0] = 7
  in (first, pair.1)
