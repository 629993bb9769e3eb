-- Linear algebra over any field, with operators in its module type.
-- tolerance: exact
-- ==
-- input { [[1f64,2f64],[3f64,4f64]] } output { [[7f64,10f64],[15f64,22f64]] 5f64 [[1f64,3f64],[2f64,4f64]] }
module type field = {type t val + : t -> t -> t val * : t -> t -> t val i64 : i64 -> t}
module type linalg = {type t val dot [n] : [n]t -> [n]t -> t val matmul [n] [m] [p] : [n][m]t -> [m][p]t -> [n][p]t val trace [n] : [n][n]t -> t}

module mk_linalg (T: field) : linalg with t = T.t = {
  open T
  def zero = i64 0
  def sum [n] (xs: [n]t) = reduce (+) zero xs
  def dot [n] (a: [n]t) (b: [n]t) = sum (map2 (*) a b)
  def matmul [n] [m] [p] (a: [n][m]t) (b: [m][p]t) : [n][p]t = map (\r -> map (dot r) (transpose b)) a
  def trace [n] (a: [n][n]t) = sum (map (\k -> a[k, k]) (iota n))
}

module l = mk_linalg {type t = f64 def (+) = (f64.+) def (*) = (f64.*) def i64 = f64.i64}
entry main (a: [][]f64) = let n = length a let a = a :> [n][n]f64 in (l.matmul a a, l.trace a, transpose a)
