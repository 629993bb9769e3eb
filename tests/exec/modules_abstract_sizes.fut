-- Abstract types with sizes: as parameters (`type t [n]`), and hidden (`type~ t`).
-- tolerance: exact
-- ==
-- input { [3i32, -1i32, 4i32, -1i32, 5i32] } output { 3i64 12i32 5i64 [5i32, 4i32, 3i32] 17i32 }
module type vector = {
  type t [n]
  val from [n] : [n]i32 -> t [n]
  val to [n] : t [n] -> [n]i32
  val zip [n] : t [n] -> t [n] -> t [n]
}

module vector : vector = {
  type t [n] = {data: [n]i32, total: i32}
  def from [n] (xs: [n]i32) : t [n] = {data = xs, total = i32.sum xs}
  def to [n] (v: t [n]) = v.data

  def zip [n] (a: t [n]) (b: t [n]) : t [n] =
    {data = map2 (+) a.data b.data, total = a.total + b.total}
}

module type bag = {
  type~ t
  val empty : t
  val insert [n] : [n]i32 -> t -> t
  val keep : (i32 -> bool) -> t -> t
  val size : t -> i64
  val sum : t -> i32
  val elements : t -> []i32
}

module bag : bag = {
  type~ t = []i32
  def empty : t = []
  def insert [n] (xs: [n]i32) (b: t) : t = xs ++ b
  def keep p (b: t) : t = filter p b
  def size (b: t) = length b
  def sum (b: t) = i32.sum b
  def elements (b: t) : []i32 = b
}

def more (x: bag.t) : bag.t = bag.insert [1, 1] (bag.insert [1, 1] x)

entry main (xs: []i32) =
  let b = bag.keep (> 0) (bag.insert xs bag.empty)
  let v = vector.from xs
  let c = if length xs > 2 then b else bag.empty
  let grown = loop b = bag.empty for x in [1i32, 2i32] do bag.insert (replicate (i64.i32 x) 7i32) b
  in ( bag.size b
     , bag.sum c
     , length (vector.to (vector.zip v v))
     , reverse (bag.elements b)
     , bag.sum (more (bag.keep (< 0) grown)) + i32.i64 (bag.size grown) + 10
     )
