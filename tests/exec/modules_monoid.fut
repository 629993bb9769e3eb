-- Parametric modules over a monoid: the same code for numbers, pairs and functions of them.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32, 3i32, 4i32] } output { 10i32 24i32 -8i32 4i32 [1i32, 3i32, 6i32, 10i32] }
-- input { empty([0]i32) } output { 0i32 1i32 0i32 -2147483648i32 empty([0]i32) }
module type monoid = {
  type t
  val zero : t
  val add : t -> t -> t
}

module sums (M: monoid) = {
  type t = M.t
  def sum [n] (xs: [n]t) : t = reduce M.add M.zero xs
  def prefix [n] (xs: [n]t) : [n]t = scan M.add M.zero xs
}

module plus = {type t = i32 def zero = 0i32 def add (x: t) (y: t) = x + y}
module times = {type t = i32 def zero = 1i32 def add = (i32.*)}

module pair (A: monoid) (B: monoid) : monoid with t = (A.t, B.t) = {
  type t = (A.t, B.t)
  def zero = (A.zero, B.zero)
  def add (a: t) (b: t) = (A.add a.0 b.0, B.add a.1 b.1)
}

module sum = sums plus
module product = sums times
module both = sums (pair plus {type t = i32 def zero = i32.lowest def add = i32.max})

entry main (xs: []i32) =
  let (s, m) = both.sum (map (\x -> (-x, x)) xs)
  in (sum.sum xs, product.sum xs, s + s - s + (if length xs == 4 then 2 else 0), m, sum.prefix xs)
