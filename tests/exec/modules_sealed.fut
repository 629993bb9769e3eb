-- Sealed values: partially applied, in sections, consuming.
-- tolerance: exact
-- ==
-- input { [1i32,2i32,3i32] } output { [9i32,2i32,3i32] [2i32,3i32,4i32] 6i32 }
module m : {type t val add : t -> t -> t val of : i32 -> t val to : t -> i32 val set [n] : *[n]t -> i64 -> t -> *[n]t val sum [n] : [n]t -> t} = {
  type t = i32
  def add (x: t) (y: t) = x + y
  def of (x: i32) : t = x
  def to (x: t) = x
  def set [n] (xs: *[n]t) (i: i64) x = xs with [i] = x
  def sum [n] (xs: [n]t) = reduce add 0 xs
}

entry main (xs: []i32) =
  let ys = map m.of xs
  let plus = m.add (m.of 1)
  let inc (x: m.t) = plus x
  let zs = m.set (copy ys) 0 (m.of 9)
  in (map m.to zs, map (inc >-> m.to) ys, m.to (m.sum ys))
