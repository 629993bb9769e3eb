-- A slice takes a value whose size only run time knows; whether it fits is checked then.
-- ==
-- entry: front
-- input { 2i64 [5,-1,6,7] } output { [5,6,7,7] }
-- input { 2i64 [5,-1,6,-7] } error: H70
-- ==
-- entry: columns
-- input { 2i64 [[1,2,3],[4,5,6]] } output { [[1,2,3],[4,5,6]] }
-- input { 3i64 [[1,2,3],[4,5,6]] } error: H70
-- ==
-- entry: inferred
-- input { [1,2,3] } output { [9,9,3] }

entry front (n: i64) (xs: *[]i32) = xs with [:n + 1] = filter (> 0) (copy xs)

entry columns (n: i64) (xss: *[][]i32) = xss with [:, :n] = map (\xs -> xs[:2]) (copy xss)

entry inferred (xs: *[]i32) = xs with [:2] = rep 9
