-- Sizes that only a value knows, passed on in every way.
-- ==
-- entry: direct
-- input { [1, -2, 3] } output { [2, 4] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- ==
-- entry: piped
-- input { [1, -2, 3] } output { 6 }
-- ==
-- entry: named
-- input { [1, -2, 3] } output { 2i64 [1, 3] }
-- ==
-- entry: branches
-- input { true } output { [0i64, 1i64] }
-- input { false } output { [0i64, 1i64, 2i64] }
-- ==
-- entry: growing
-- input { 5i64 } output { [1, 1, 1, 1, 1, 1, 1, 1] }
-- ==
-- entry: counted
-- input { 2 } output { [2, 2, 2] }
entry direct (xs: []i32) = map (+ 1) (filter (> 0) xs)
entry piped (xs: []i32) = filter (> 0) xs |> map (+ 1) |> reduce (+) 0
entry named (xs: []i32) = let [k] (ys: [k]i32) = filter (> 0) xs in (k, ys)
entry branches (b: bool) = if b then iota 2 else iota 3
entry growing (n: i64) = loop xs = [1] while length xs < n do xs ++ xs
entry counted (x: i32) = map2 (\_ y -> y) (replicate (i64.i32 (x + 1)) 0) (rep x)
