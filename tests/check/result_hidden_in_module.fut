-- Inside a parametric module a lambda may hide the size of its result as outside of one.
module expanding (P: {type t val size : t -> i64}) = {
  def expand 'b [n] (get: P.t -> i64 -> b) (xs: [n]P.t) =
    flatmap' (\x -> map (get x) (iota (P.size x))) xs
}

module of_i64 = expanding {type t = i64 def size (x: i64) = x}

def triangle (n: i64) = of_i64.expand (\x i -> x * i) (iota n)
