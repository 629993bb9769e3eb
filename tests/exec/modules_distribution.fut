-- Random numbers over `integral`, with a distribution over any engine.
-- tolerance: exact
-- ==
-- input { 42i32 } output { true true true 4i64 }
module type rng_engine = {
  module int: integral
  type rng
  val rng_from_seed [n] : [n]i32 -> rng
  val rand : rng -> (rng, int.t)
  val split_rng : (n: i64) -> rng -> *[n]rng
  val join_rng [n] : [n]rng -> rng
  val min : int.t
  val max : int.t
}

module type rng_distribution = {
  module num: numeric
  module engine: rng_engine
  type distribution
  val rand : distribution -> engine.rng -> (engine.rng, num.t)
}

module linear_congruential_engine (T: integral) (P: {val a : T.t val c : T.t val m : T.t}) : rng_engine with int.t = T.t with rng = T.t = {
  type t = T.t
  type rng = t
  module int = T

  def rand (x: rng) : (rng, t) =
    let rng' = (P.a T.* x T.+ P.c) T.%% P.m
    in (rng', rng')

  def rng_from_seed [n] (seed: [n]i32) =
    let seed' =
      loop seed' = 1u32
      for i < n do
        u32.(((i32 seed[i] >> i32 16) ^ seed') * 0x45d9f3b)
    in (rand (T.u32 seed')).0

  def split_rng (n: i64) (x: rng) : *[n]rng = map (\i -> T.(x ^ i64 i)) (iota n)
  def join_rng [n] (xs: [n]rng) : rng = reduce (T.^) (T.i32 0) xs
  def min = T.i32 0
  def max = T.(P.m - i32 1)
}

module uniform_int_distribution (D: integral) (E: rng_engine)
  : rng_distribution
    with num.t = D.t
    with engine.rng = E.rng
    with distribution = (D.t, D.t) = {
  def to_D (x: E.int.t) = D.u64 (u64.i64 (E.int.to_i64 x))
  module engine = E
  module num = D
  type distribution = (D.t, D.t)
  def uniform (min: D.t) (max: D.t) = (min, max)

  def rand ((min, max): distribution) (rng: E.rng) =
    let safe_min = D.i32 0
    let rng_range = to_D E.max D.- safe_min
    let size = max D.- min D.+ D.i32 1
    let (rng, x) = E.rand rng
    in (rng, min D.+ D.(to_D x % size))
}

module minstd_rand = linear_congruential_engine u32 {def a = 48271u32 def c = 0u32 def m = 2147483647u32}
module dist = uniform_int_distribution i32 minstd_rand

entry main (s: i32) =
  let rng = minstd_rand.rng_from_seed [s]
  let (rng, x) = dist.rand (1, 6) rng
  let rngs = minstd_rand.split_rng 4 rng
  let (rngs, ys) = unzip (map (dist.rand (10, 20)) rngs)
  let rng = minstd_rand.join_rng rngs
  let (_, z) = dist.rand (1, 6) rng
  in (x >= 1 && x <= 6, all (\y -> y >= 10 && y <= 20) ys, z >= 1 && z <= 6, length rngs)
