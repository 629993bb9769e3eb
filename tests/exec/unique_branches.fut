-- Branches, cases and loops that consume and hand on.
-- ==
-- entry: either
-- input { true [1, 2] } output { [7, 2] }
-- input { false [1, 2] } output { [1, 2] }
-- ==
-- entry: both
-- input { true [1, 2] } output { [7, 2] }
-- input { false [1, 2] } output { [1, 8] }
-- ==
-- entry: cases
-- input { 0 [1, 2] } output { [7, 2] }
-- input { 1 [1, 2] } output { [1, 2] }
-- ==
-- entry: chain
-- input { 3 [1, 2] } output { [1, 4] }
-- ==
-- entry: early
-- input { [3, 1, 2] } output { [1, 2, 3] }
entry either (b: bool) (xs: *[]i32) = if b then xs with [0] = 7 else xs

entry both (b: bool) (xs: *[]i32) =
  let ys = if b then xs with [0] = 7 else xs with [1] = 8
  in ys

entry cases (k: i32) (xs: *[]i32) : *[]i32 =
  match k
  case 0 -> xs with [0] = 7
  case _ -> xs

entry chain (k: i32) (xs: *[]i32) : *[]i32 =
  let xs = if k == 1 then xs with [0] = 2 else xs
  let xs = if k == 2 then xs with [0] = 3 else xs
  let xs = if k == 3 then xs with [1] = 4 else xs
  in xs

entry early [n] (xs: *[n]i32) =
  loop xs for i < n do
    loop xs for j < n - 1 do
      if xs[j] > xs[j + 1]
      then let t = xs[j]
           let xs[j] = xs[j + 1]
           let xs[j + 1] = t
           in xs
      else xs
