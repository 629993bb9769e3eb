-- Parametric modules that take, return and are given as parametric modules; module lambdas.
-- tolerance: exact
-- ==
-- input { 5i64 } output { 15i64 30i64 7i64 6i64 105i64 }
module type num = {type t val one : t val add : t -> t -> t}
module type num_to_num = (N: num) -> num with t = N.t
module type box = {val get : i64}

module doubled (N: num) = {type t = N.t def one = N.add N.one N.one def add = N.add}
module thrice (F: num_to_num) (N: num) : num with t = N.t = F (F (F N))

module from (k: box) : num with t = i64 = {
  type t = i64
  def one = k.get
  def add (x: i64) (y: i64) = x + y
}

module ints = {type t = i64 def one = 1i64 def add = (i64.+)}

module three_times =
  \(N: num): (num with t = N.t) ->
    {
      type t = N.t
      def one = N.add (N.add N.one N.one) N.one
      def add = N.add
    }

module eight = thrice doubled ints
module twenty_seven = thrice three_times ints
module curried (A: box) (B: box) = {def get = A.get + B.get}
module with_five = curried {def get = 5i64}
module five_two = with_five {def get = 2i64}
module compose (F: num_to_num) (G: num_to_num) = \(N: num) -> F (G N)
module six = compose doubled three_times ints
module seven = from five_two

entry main (n: i64) =
  (n + eight.one + 2, twenty_seven.one + 3, five_two.get, six.one, n * seven.one * 3)
