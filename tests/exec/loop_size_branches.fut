-- A loop may keep, grow or filter what it carries in different branches: the size is that of the last step.
-- ==
-- entry: keep_or_filter
-- input { 4 [3, -1, 2] } output { [3, 2] }
-- ==
-- entry: grow_or_filter
-- input { 4 } output { [3] }
-- ==
-- entry: cases
-- input { 3 [3, -1, 2] } output { [3, 2, 1] }
-- ==
-- entry: unless_empty
-- input { [1, 2, 3, 2] [2, 3, 1] } output { [1] }

entry keep_or_filter (n: i32) (ys: []i32) : []i32 =
  loop xs = ys for i < n do if i % 3 == 0 then filter (> 0) xs else xs

entry grow_or_filter (n: i32) : []i32 =
  loop xs = [] for i < n do if i % 3 == 0 then xs ++ [i] ++ map (+ i) xs else filter (> 0) xs

entry cases (n: i32) (ys: []i32) : []i32 =
  loop xs = ys
  for i < n do
    match i
    case 0 -> filter (> 0) xs
    case 1 -> xs ++ [1]
    case _ -> xs

entry unless_empty [n] (xs: [n]i32) (ms: []i32) =
  loop ys = xs
  for m in ms do
    let zs = filter (!= m) ys
    in if length zs == 0 then ys else zs
