-- Values of an abstract type whose size came up inside: results of functions, branches and loops have one that
-- only the value knows, as arrays do.
-- ==
-- entry: found
-- input { [1, 2, 3] } output { [2, 3] [2, 3, 2, 3] }
-- ==
-- entry: chosen
-- input { true [1, 2, 3] } output { [1, 2, 3] }
-- input { false [1, 2, 3] } output { [2, 3] }
-- ==
-- entry: doubled
-- input { 2i64 } output { 16i64 }

module type vec = {
  type vec [n] 'a
  val from [n] 'a : [n]a -> vec [n] a
  val to [n] 'a : vec [n] a -> [n]a
  val cat [n] [m] 'a : vec [n] a -> vec [m] a -> vec [n + m] a
}

module vec : vec = {
  type vec [n] 'a = [n]a
  def from xs = xs
  def to xs = xs
  def cat xs ys = xs ++ ys
}

def large (xs: []i32) = vec.from (filter (> 1) xs)
entry found (xs: []i32) = let v = large xs in (vec.to v, vec.to (vec.cat v v))
def either (all: bool) (xs: []i32) = if all then vec.from xs else large xs
entry chosen (all: bool) (xs: []i32) = vec.to (either all xs)

entry doubled (n: i64) =
  length (vec.to (loop v = vec.from (iota n) for _i < 3i64 do vec.cat v v))
