-- Sizes found at run time: filter, branches, loops that grow.
-- tolerance: exact
-- ==
-- entry: loops
-- input { [1,2,3,4] }
-- output { 10i32 [0i32, 0i32, 1i32, 3i32, 6i32] }
-- tolerance: exact
-- ==
-- entry: filt
-- input { [1,0,2,7,8] }
-- output { 3i64 [4i32, 14i32, 16i32] [2i32, 7i32, 8i32] [3i32, 8i32, 9i32] }
-- tolerance: exact
-- ==
-- entry: whilearr
-- input { [1,2,3] }
-- output { [1i32, 2i32, 3i32, 1i32, 2i32, 3i32, 1i32, 2i32, 3i32, 1i32, 2i32, 3i32] }
-- tolerance: exact
-- ==
-- entry: iff
-- input { [1,2,3] true }
-- output { [2i32, 3i32] 1i32 }
-- input { [1,2,3] false }
-- output { [2i32, 3i32, 4i32] 2i32 }

entry loops (xs: []i32) = loop (a, bs) = (0, [0i32]) for x in xs do (a + x, bs ++ [a])
entry filt (xs: []i32) = let ys = filter (> 1) xs in (length ys, map (* 2) ys, zip ys (map (+ 1) ys) |> unzip)
entry whilearr (xs: []i32) = loop ys = xs while length ys < 10 do ys ++ ys
entry iff (xs: []i32) (c: bool) = let ys = if c then filter (> 1) xs else xs let (a, b) = if c then (ys, 1) else (map (+ 1) ys, 2) in (a, b)
