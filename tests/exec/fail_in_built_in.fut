-- What a built-in calls fails where the function value was made.
-- tolerance: exact
-- ==
-- entry: secfail
-- input { [1,0,2] }
-- error: division by zero.*H7003
-- tolerance: exact
-- ==
-- entry: secfail2
-- input { [1,0,2] }
-- error: division by zero.*H7003
-- tolerance: exact
-- ==
-- entry: pipefail
-- input { [1,0,2] }
-- error: division by zero.*H7003

entry secfail (xs: []i32) = map (10 /) xs
entry secfail2 (xs: []i32) = reduce (/) 100 xs
entry pipefail (xs: []i32) = xs |> map (\x -> 10 / x) |> i32.sum
