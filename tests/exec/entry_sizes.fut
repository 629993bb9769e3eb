-- Parameters of an entry whose sizes are computed.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32] [1i32, 2i32, 3i32] } output { 9i32 }
-- ==
-- entry: doubled
-- input { 2i64 [1i32, 2i32, 3i32, 4i32] } output { [1i32, 2i32] [3i32, 4i32] }
-- ==
-- entry: point_free
-- input { 2i64 [1i32, 2i32, 3i32] } output { [2i32, 3i32, 4i32] }
entry main [n] (xs: [n]i32) (ys: [n + 1]i32) : i32 = i32.sum xs + i32.sum ys

entry doubled (n: i64) (xs: [n * 2]i32) : ([n]i32, [n]i32) =
  (take n (xs :> [n + n]i32), xs[n:n * 2] :> [n]i32)

def increase (n: i64) (xs: [n + 1]i32) : [n + 1]i32 = map (+ 1) xs
entry point_free = increase
