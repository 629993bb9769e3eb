-- Reductions and scans of pairs and of arrays.
-- tolerance: exact
-- ==
-- entry: scanpair
-- input { [1,2,3,4] }
-- output { [1i32, 3i32, 6i32, 10i32] [1i32, 2i32, 6i32, 24i32] }
-- tolerance: exact
-- ==
-- entry: redarr
-- input { [[1,2],[3,4],[5,6]] }
-- output { [9i32, 12i32] [[1i32, 2i32], [4i32, 6i32], [9i32, 12i32]] }

entry scanpair [n] (xs: [n]i32) = scan (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) (zip xs xs) |> unzip
entry redarr [n] [m] (xs: [n][m]i32) = (reduce (map2 (+)) (replicate m 0) xs, scan (map2 (+)) (replicate m 0) xs)
