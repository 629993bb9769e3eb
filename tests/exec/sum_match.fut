-- Constructors with payloads of several types that share slots, nested patterns, wildcards.
-- tolerance: exact
-- ==
-- input { 0i32 } output { 11i32 }
-- ==
-- input { 1i32 } output { 25i32 }
-- ==
-- input { 2i32 } output { -7i32 }
-- ==
-- input { 3i32 } output { 100i32 }
-- ==
-- input { 4i32 } output { 9i32 }
type shape = #circle i32 | #rect i32 i32 | #tri (i32, f32) bool | #none

def pick (k: i32) : shape =
  match k
  case 0 -> #circle 11
  case 1 -> #rect 5 5
  case 2 -> #tri (7, 0.5f32) true
  case 3 -> #tri (99, 1.5f32) false
  case _ -> #none

entry main (k: i32) : i32 =
  match pick k
  case #circle r -> r
  case #rect a b -> a * b
  case #tri (a, _) true -> -a
  case #tri (a, f) false -> a + i32.f32 f
  case #none -> 9
