-- Failures of every kind, each in the same place on every engine.
-- ==
-- input { 0i64 [1i32,2i32,3i32] }
-- error: H7
-- ==
-- input { 1i64 [1i32,2i32,3i32] }
-- error: H7
-- ==
-- input { 2i64 [1i32,2i32,3i32] }
-- error: H7
-- ==
-- input { 3i64 [1i32,2i32,3i32] }
-- error: H7
-- ==
-- input { 5i64 [1i32,2i32,3i32] }
-- error: H7
-- ==
-- input { 6i64 [1i32,2i32,3i32] }
-- error: H7
-- ==
-- input { 7i64 [1i32,2i32,3i32] }
-- error: H7
-- ==
-- input { 8i64 [1i32,2i32,3i32] }
-- error: H7
-- ==
-- input { 9i64 [1i32,2i32,3i32] }
-- error: H7
-- ==
-- input { 10i64 [1i32,2i32,3i32] }
-- error: H7
-- ==
-- input { 11i64 [1i32,2i32,3i32] }
-- error: H7
-- ==
-- input { 12i64 [1i32,2i32,3i32] }
-- error: H7
-- ==
-- input { 13i64 [1i32,2i32,3i32] }
-- error: H7
-- ==
-- input { 14i64 [1i32,2i32,3i32] }
-- error: H7
entry main [n] (k: i64) (xs: [n]i32) : i32 =
  if k == 0
  then i32.sum (replicate (k - 1) 1)
  else if k == 1
  then i64.i32 0 |> \_ -> i32.sum (map i32.i64 (iota (k - 3)))
  else if k == 2
  then (unflatten (xs :> [2 * k]i32) : [2][k]i32)[0, 0]
  else if k == 3
  then i32.sum (scan (\a b -> xs[i64.i32 (a + b)]) 0 xs)
  else if k == 4
  then reduce (\a b -> 10 / (a + b - 4)) 0 xs
  else if k == 5
  then i32.sum (map (\i -> (xs :> [i]i32)[0]) (iota k))
  else if k == 6
  then i32.sum (copy xs with [1:3] = (replicate (k - 3) 1i32 :> [2]i32))
  else if k == 7
  then i32.sum (xs[k:] ++ xs)
  else if k == 8
  then i32.sum (map i32.i64 (0..(k - 8)..<3))
  else if k == 9
  then (tabulate_2d 2 (5 - k) (\_ _ -> 1i32))[0, 0]
  else if k == 10
  then loop a = 0 for x in xs do a + 10 / (x - 2)
  else if k == 11
  then i32.sum (scatter (copy xs) (map (\x -> 10 / (x - 2)) [0i64, 1, 2]) (xs :> [3]i32))
  else if k == 12
  then 2i32 ** (xs[0] - 2)
  else if k == 13
  then (if xs[0] == 1 then head (filter (> 5) xs) else 3)
  else last (take k xs)
