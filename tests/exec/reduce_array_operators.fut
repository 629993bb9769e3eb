-- Reductions whose operator works on arrays: products of matrices, which do not commute.
-- ==
-- entry: product
-- input { 0i64 }
-- output { [[1i64, 0i64], [0i64, 1i64]] }
-- input { 1i64 }
-- input { 513i64 }
-- input { 5003i64 }
def times (a: [2][2]i64) (b: [2][2]i64) : [2][2]i64 =
  tabulate_2d 2 2 (\i j -> (a[i, 0] * b[0, j] + a[i, 1] * b[1, j]) % 10007)

entry product (n: i64) : [2][2]i64 =
  reduce times [[1, 0], [0, 1]] (tabulate n (\i -> [[i % 3, 1], [1, i % 2]]))

-- Rows of a size that only the program knows, and a tuple of an array and a scalar.
-- ==
-- entry: longest
-- input { 700i64 9i64 }
-- input { 1i64 0i64 }
entry longest (n: i64) (m: i64) : ([m]i64, i64) =
  reduce (\(a, i) (b, j) -> if i64.sum a >= i64.sum b then (a, i) else (b, j))
         (replicate m (-1), -1)
         (tabulate n (\i -> (tabulate m (\j -> i * 37 % 101 + j), i)))
