-- The sizes of a loop's result come out of a loop inside it.
-- ==
-- input { [5, -3, 9, 0, 12, -7, 5, 2] } output { [2, 5, -7, 12, 0, 9, -3, 5] }
-- ==
-- entry: branch
-- input { 1i64 [5, -3] } output { [5, -3, 7, 7] }
-- input { 3i64 [5, -3] } output { [2, 7] }
-- input { 0i64 [5, -3] } output { [5, -3] }
entry main [n] (xs: [n]i32) : []i32 =
  loop xs for k < 1 do
    loop xs for j in [1i64, 2, 4] do
      map (\i -> xs[i ^ j + k]) (iota 8)

entry branch [n] (k: i64) (xs: [n]i32) : []i32 =
  loop xs for i < k do
    if i > 1 then [2, 7] else loop xs for _j < 2i32 do xs ++ [7]
