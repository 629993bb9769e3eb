-- Slices have one size if their bounds are the same, also within `i64.(..)`, which modules need that
-- open one with operators of its own.
-- ==
-- entry: main
-- input { [1.0, 2.0, 3.0] [4.0, 5.0, 6.0] 0i64 } output { 28.0 28.0 28.0 }

module linear (F: {type t val + : t -> t -> t val * : t -> t -> t val zero : t}) = {
  open F

  def dot [n] (a: [n]t) (b: [n]t) : t = reduce (+) zero (map2 (*) a b)

  def after [n] (a: [n]t) (b: [n]t) (i: i64) : t = dot a[i64.(i + 1):] b[i64.(i + 1):]
  def later [n] (a: [n]t) (b: [n]t) (i: i64) : t = dot a[i i64.+ 1:] b[i i64.+ 1:]

  def taken [n] (a: [n]t) (b: [n]t) (i: i64) : t =
    let k = i64.(n - (i + 1))
    in dot (take k (reverse a)) (take i64.(n - (i + 1)) (reverse b))
}

module reals = linear {open f64 def zero = 0f64}

entry main [n] (a: [n]f64) (b: [n]f64) (i: i64) =
  (reals.after a b i, reals.later a b i, reals.taken a b i)
