-- `==` on sums, alone and in arrays and records.
-- tolerance: exact
-- ==
-- input { [1i32, -1i32, 0i32] [1i32, -5i32, 0i32] } output { true [true, true, true] true false }
-- ==
-- input { [1i32, -1i32, 0i32] [1i32, -5i32, 2i32] } output { false [true, true, false] true false }
type t = #num i32 | #neg | #zero f32

def of (x: i32) : t = if x > 0 then #num x else if x < 0 then #neg else #zero (f32.i32 x)

entry main [n] (xs: [n]i32) (ys: [n]i32) =
  let a = map of xs
  let b = map of ys
  in (a == b, map2 (==) a b, (of 3, 1) == (#num 3, 1i32), of 3 == #num 4)
