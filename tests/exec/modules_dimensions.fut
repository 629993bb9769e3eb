-- Sizes that are constants of a parameter.
-- tolerance: exact
-- ==
-- input { [1f32,2f32,3f32] } output { 6f32 [2f32,4f32,6f32] 3i64 }
module type dim = {val n : i64}

module vec (D: dim) = {
  type v = [D.n]f32
  def zero : v = replicate D.n 0f32
  def add (a: v) (b: v) : v = map2 (+) a b
  def sum (a: v) = f32.sum a
  def of (xs: []f32) : v = sized D.n xs
}

module three : dim = {def n = 3i64}
module v3 = vec three
module v3' = vec {def n = 3i64}

entry main (xs: []f32) =
  let v = v3.of xs
  in (v3.sum v, v3'.add (v3'.of xs) (v3'.of xs), length (v3.add v v3.zero))
