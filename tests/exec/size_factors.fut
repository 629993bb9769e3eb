-- unflatten takes rows and columns from the product that was written, sums as well; constants of
-- modules are sizes wherever they come up.
-- ==
-- entry: square
-- input { 1i64 } output { [[0i64, 1i64], [2i64, 3i64]] }
-- ==
-- entry: wide
-- input { 2i64 } output { [[0i64, 1i64, 2i64, 3i64], [4i64, 5i64, 6i64, 7i64]] }
-- ==
-- entry: tables
-- input { 2i64 } output { [[0i64, 0i64, 0i64], [1i64, 1i64, 1i64]] }
-- ==
-- entry: chunk
-- input { 3i64 [1, 2, 3, 4, 5] } output { [[1, 2], [3, 4]] [6] }

entry square (n: i64) : [][]i64 = unflatten (iota ((n + 1) * (n + 1)))

entry wide (n: i64) : [][]i64 = (unflatten (iota (n * (n + 2)) :> [n * (n + 2)]i64)) :> [n][n + 2]i64

module table (K: {val k : i64}) = {
  def row (x: i64) = let xs = replicate K.k x in (x, xs)
  def rows n : [n](i64, [K.k]i64) = map row (iota n)
}

module three = table {def k = 3i64}

entry tables n = three.rows n |> map (.1)

def chunks [n] 't (k: i64) (xs: [n]t) : [][]t = unflatten (take (n / k * k) xs :> [(n / k) * k]t)
def chunked [n] k (xs: [n]i32) = map i32.sum (unflatten (xs[:n / k * k] :> [(n / k) * k]i32))

entry chunk (k: i64) (xs: []i32) = (chunks 2 xs, chunked k xs)
