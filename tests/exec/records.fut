-- Records: construction, fields, update, as function arguments.
-- tolerance: exact
-- ==
-- input { 2i32 3i32 }
-- output { 5i32 10i32 3i32 }
def add (p: {x: i32, y: i32}) : i32 = p.x + p.y

entry main (x: i32) (y: i32) : (i32, i32, i32) =
  let p = {y = y, x = x}
  let q = p with x = 7i32
  in (add p, add q, q.y)
