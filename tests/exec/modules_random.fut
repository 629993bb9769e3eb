-- Random numbers: a module type with modules in it, whose types are refined from outside.
-- tolerance: exact
-- ==
-- input { 7i32 } output { true 2i64 }
module type rng_engine = {module int: {type t val to_i64 : t -> i64} type rng val seed [n] : [n]i32 -> rng val next : rng -> (rng, int.t) val split : i64 -> rng -> []rng}

module lcg (I: {type t val a : t val mul : t -> t -> t val of : i32 -> t val to_i64 : t -> i64}) : rng_engine with int.t = I.t with rng = I.t = {
  module int = I
  type rng = I.t
  def seed [n] (xs: [n]i32) : rng = I.of (if n > 0 then xs[0] else 1)
  def next (r: rng) = let r' = I.mul I.a r in (r', r')
  def split (n: i64) (r: rng) : []rng = map (\i -> I.mul r (I.of (i32.i64 i))) (iota n)
}

module type dist = {module engine: rng_engine module num: {type t} type distribution val rand : distribution -> engine.rng -> (engine.rng, num.t)}

module uniform (E: rng_engine) : dist with num.t = i64 with engine.rng = E.rng with distribution = (i64, i64) = {
  module engine = E
  module num = {type t = i64}
  type distribution = (i64, i64)
  def rand (lo, hi) rng = let (rng, x) = E.next rng in (rng, lo + E.int.to_i64 x % (hi - lo + 1))
}

module g = lcg {type t = u32 def a = 1664525u32 def mul (x: t) (y: t) = x * y def of = u32.i32 def to_i64 = i64.u32}
module u = uniform g

entry main (s: i32) =
  let r = g.seed [s]
  let (r, x) = u.rand (1, 6) r
  let rs = g.split 2 r
  in (x >= 1 && x <= 6, length rs)
