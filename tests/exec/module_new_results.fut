-- A module type may promise results that share with nothing. What a module makes of an unknown
-- type is trusted to be so; the operations of `integral` and `real` say so themselves.
-- ==
-- entry: halves totals
-- input { [6, 8, 10] 3 }

module type pairs = {
  type pair
  val swap : pair -> *pair
  val add : pair -> pair -> *pair
  val total [n] : [n]pair -> *pair
  val fold 'a : (a -> a -> a) -> a -> [3]a -> *a
}

module mk_pairs (T: integral) : pairs with pair = (T.t, T.t) = {
  type pair = (T.t, T.t)
  def swap ((a, b): pair) = (b, a)
  def add ((a, b): pair) ((c, d): pair) = T.((a + c, b + d))
  def total [n] (ps: [n]pair) = (T.sum (map (.0) ps), T.product (map (.1) ps))
  def fold = reduce
}

module type steps = {
  type state
  val step : state -> (*state, *state)
}

module mk_steps (T: integral) : steps with state = T.t = {
  type state = T.t

  def step (x: state) : *(state, state) =
    let next = T.(x * x % i32 1000)
    in (next, copy next)
}

module small = mk_pairs i16
module count = mk_steps u32

entry halves (xs: [3]i32) (k: i32) =
  let ps = map (\x -> (i16.i32 x, i16.i32 k)) xs
  let (a, b) = small.fold small.add (0, 0) ps
  let (c, d) = small.swap (small.total ps)
  in [a, b, c, d]

entry totals (xs: [3]i32) (k: i32) =
  map (\x -> let (a, b) = count.step (u32.i32 x) in a + b + u32.i32 k) xs
