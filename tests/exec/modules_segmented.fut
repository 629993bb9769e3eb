-- A segmented scan over any monoid.
-- tolerance: exact
-- ==
-- input { [1i32,2i32,3i32,4i32] [true,false,true,false] } output { [1i32,3i32,3i32,7i32] }
module type monoid = {type t val ne : t val op : t -> t -> t}

module segmented (M: monoid) : monoid with t = (bool, M.t) = {
  type t = (bool, M.t)
  def ne = (false, M.ne)
  def op ((f1, v1): t) ((f2, v2): t) : t = (f1 || f2, if f2 then v2 else M.op v1 v2)
}

module mk_scan (M: monoid) = {
  module S = segmented M
  def segscan [n] (fs: [n]bool) (vs: [n]M.t) : [n]M.t = (unzip (scan S.op S.ne (zip fs vs))).1
}

module ss = mk_scan {type t = i32 def ne = 0i32 def op = (i32.+)}
entry main xs fs = ss.segscan fs xs
