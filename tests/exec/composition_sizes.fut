-- Composition of functions whose results have sizes of their own.
-- ==
-- entry: point_free
-- input { [1, -2, 3] } output { [2, 4] }
--
-- ==
-- entry: backwards
-- input { [1, -2, 3] } output { 2i64 }
entry point_free = filter (> 0) >-> map (+ 1i32)
entry backwards = length <-< filter (> 0i32)
