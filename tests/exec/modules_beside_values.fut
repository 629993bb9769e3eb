-- Modules have names apart from those of values. A module that has the member counts before a local
-- value of its name; else the name is a field of the value.
-- ==
-- entry: converted
-- input { 7i64 }
-- output { 7i32 }
-- ==
-- entry: beside
-- input { 5i32 }
-- output { 112i32 }
-- ==
-- entry: opened
-- input { 5i32 }
-- output { 17i32 }
entry converted (i32: i64) : i32 = i32.i64 i32

module m = {
  def x = 100i32
  module inner = {def y = 7i32}
}

entry beside (a: i32) : i32 =
  let m = {x = a, z = a, inner = {y = a}}
  in m.x + m.z + m.inner.y

entry opened (a: i32) : i32 =
  let inner = {y = a}
  in m.inner.(y + inner.y) + a
