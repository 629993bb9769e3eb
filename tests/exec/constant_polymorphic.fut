-- A constant without elements has them of any type.
-- ==
-- input { 3i64 } output { 0i64 3i64 [1f32] }
def none = []
module m : {val e [n] : [0][n]i32} = {def e = []}

entry main (n: i64) =
  let rows: [][n]i32 = m.e
  in (length rows, length (none ++ iota n), none ++ [1f32])
