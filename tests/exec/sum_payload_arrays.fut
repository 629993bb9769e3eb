-- Payloads that are arrays; sizes of payloads that are not there are known all the same.
-- tolerance: exact
-- ==
-- input { true [1i32, 2i32, 3i32] [1.5f32, 2.5f32] } output { [2i32, 4i32, 6i32] 6i32 }
-- ==
-- input { false [1i32, 2i32, 3i32] [1.5f32, 2.5f32] } output { [1i32, 2i32, 3i32] 4i32 }
type either [n] [m] = #left [n]i32 | #right [m]f32

def sum [n] [m] (e: either [n] [m]) : i32 =
  match e
  case #left xs -> i32.sum xs
  case #right ys -> i32.f32 (f32.sum ys)

entry main [n] [m] (c: bool) (xs: [n]i32) (ys: [m]f32) : ([n]i32, i32) =
  let e: either [n] [m] = if c then #left xs else #right ys
  let doubled =
    match e
    case #left zs -> map (* 2) zs
    case #right _ -> xs
  in (doubled, sum e)
