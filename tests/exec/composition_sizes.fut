-- The second of two composed functions may give a result with a size of its own.
-- ==
-- entry: point_free
-- input { [1, -2, 3] } output { [2, 4] }
--
-- ==
-- entry: backwards
-- input { [1, -2, 3] } output { 2i64 }
entry point_free = map (+ 1i32) >-> filter (> 0)
entry backwards (xs: []i32) = length (filter (> 0) <-< map (* 2) <| xs)
