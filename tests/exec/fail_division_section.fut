-- A section or name handed to map: the failure is where the function value was made.
-- ==
-- entry: section
-- input { [1i32, 0i32] }
-- error: division by zero.*H7003
-- ==
-- entry: named
-- input { [1i32, 0i32] }
-- error: division by zero.*H7003
-- ==
-- entry: reduction
-- input { [1i32, 0i32] }
-- error: division by zero.*H7003
entry section [n] (a: [n]i32) : [n]i32 = map (10 /) a
entry named [n] (a: [n]i32) : [n]i32 = map2 (/) a a
entry reduction [n] (a: [n]i32) : i32 = reduce (/) 100 a
