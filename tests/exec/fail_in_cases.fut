-- Failures in cases, operators, constants and payloads: the same place on every engine.
-- ==
-- input { 0i32 [1i32,0i32] }
-- error: H7
-- ==
-- input { 1i32 [1i32,0i32] }
-- error: H7
-- ==
-- input { 2i32 [1i32,0i32] }
-- error: H7
-- ==
-- input { 3i32 [1i32,0i32] }
-- error: H7
-- ==
-- input { 4i32 [1i32,0i32] }
-- error: H7
-- ==
-- input { 5i32 [1i32,0i32] }
-- error: H7
-- ==
-- input { 6i32 [1i32,0i32] }
-- error: H7
-- ==
-- input { 7i32 [1i32,0i32] }
-- error: H7
-- ==
-- input { 8i32 [1i32,0i32] }
-- error: H7
type t [n] = #a [n]i32 | #b
def mk [n] (k: i32) (xs: [n]i32) : t [n] = if k > 100 then #b else #a xs

entry main [n] (k: i32) (xs: [n]i32) : i32 =
  match k
  case 0 -> (match mk k xs case #a ys -> ys[n] case #b -> 1)
  case 1 -> let c = map (10 /) xs in c[0]
  case 2 -> (reduce_by_index [1, 2] (/) 1 [0, 0] (xs :> [2]i32))[0]
  case 3 -> (reduce_by_index [1, 2] (\a b -> a / b) 1 [0, 0] (xs :> [2]i32))[0]
  case 4 -> i32.sum (map (\x -> match x case 0 -> ??? case 1 -> xs[3] case _ -> 2) xs)
  case 5 -> (match (xs :> [3]i32, 2i32) case (ys, _) -> ys[0])
  case 6 -> i32.sum (tabulate (i64.i32 (k - 7)) i32.i64)
  case 7 -> (hist (\a b -> xs[i64.i32 (a + b)]) 0 2 [0, 1] [1, 3])[0]
  case _ -> i32.sum xs[1:5]
