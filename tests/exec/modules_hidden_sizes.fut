-- Values of types that hide sizes, in pairs, branches and other modules.
-- tolerance: exact
-- ==
-- input { 2i64 } output { [1i32,2i32,1i32,2i32] 4i64 3i64 }
module type seq = {
  type~ t
  val of [n]: [n]i32 -> t
  val cat: t -> t -> t
  val len: t -> i64
  val to: t -> []i32
  val pairs: t -> (t, t)
  val size: (x: t) -> i64
}
module seq: seq = {
  type~ t = []i32
  def of xs = xs
  def cat (a: t) (b: t): t = a ++ b
  def len (t: t) = length t
  def to (t: t) = t
  def pairs (t: t): (t, t) = (filter (> 1) t, t)
  def size (x: t) = length x
}
module type box = { type~ b val mk: seq.t -> b val get: b -> seq.t }
module box: box = { type~ b = {x: seq.t, y: i64} def mk x: b = {x, y = seq.len x} def get (b: b) = b.x }
entry main (n: i64) =
  let a = seq.of (map i32.i64 (map (+1) (iota n)))
  let b = seq.cat a a
  let (c, d) = seq.pairs b
  let e = if n > 1 then seq.cat c (seq.of [1]) else d
  in (seq.to (box.get (box.mk b)), seq.size b, seq.len e)
