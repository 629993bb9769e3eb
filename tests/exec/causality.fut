-- Values that bring sizes come before the functions that know them.
-- ==
-- entry: piped
-- input { [3, 1, 4, 1, 5] } output { 3i64 }
-- ==
-- entry: applied
-- input { [3, 1, 4, 1, 5] } output { [3, 4, 5, 3, 4, 5] }
-- ==
-- entry: later_argument
-- input { [3, 1, 4, 1, 5] } output { 3i64 }
-- ==
-- entry: named
-- input { 2 } output { [2, 2, 2] }
-- ==
-- entry: doubled
-- input { 3i64 } output { 0i64 8i64 }
def apply [n] (f: [n]i32 -> i64) (xs: [n]i32) : i64 = f xs

entry piped (xs: []i32) : i64 = filter (> 2) xs |> length
entry applied (xs: []i32) : []i32 = let ys = filter (> 2) xs in (ys ++) ys
entry later_argument (xs: []i32) : i64 = apply length (filter (> 2) xs)
entry named (x: i32) = map2 (\_ y -> y) (replicate (i64.i32 (x + 1)) 0) (rep x)

entry doubled (n: i64) =
  let grow (start: []i32) = loop xs = start for _i < n do xs ++ xs
  let nothing = grow []
  let ones = grow [1]
  in (length nothing, length ones)
