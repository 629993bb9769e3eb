-- An update of a field may change its sizes, and so the type of the record.
-- ==
-- input { [1,2] [3,4,5] } output { 2i64 3i64 [3,4,5] 7 }
def main (xs: []i32) (ys: []i32) =
  let p = {outer = {inner = xs, other = 7i32}, first = xs}
  let q = p with outer.inner = ys
  in (length q.first, length q.outer.inner, q.outer.inner, q.outer.other)
