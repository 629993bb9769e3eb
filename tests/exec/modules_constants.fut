-- Constants of a module type as sizes of its other members.
-- tolerance: exact
-- ==
-- input { 3i64 } output { [0f32,1f32,2f32] 6i64 [2i64,2i64] 2i64 }
module type arr = {type t val n : i64 val xs : [n]i32 val f [m] : [m]t -> [m + 1]t -> [n * m]i32 val mk : (k: i64) -> [k]t}
module a : arr = {type t = f32 def n = 2i64 def xs = [1i32, 2] def f [m] (_: [m]t) (_: [m + 1]t) = replicate (n * m) 1i32 def mk k = map f32.i64 (iota k)}

module g (A: arr) = {
  type rows [k] = [k][A.n]i64
  def rows (k: i64) : rows [k] = replicate k (replicate A.n k)
  def sz = length A.xs
  def app k = A.f (A.mk k) (A.mk (k + 1))
}

module ga = g a
entry main (k: i64) = ((\x -> map (\i -> f32.i64 i) (iota (length x))) (a.mk k), length (ga.app k), (ga.rows 2)[0], ga.sz)
