-- Segments without a second result.
-- ==
-- input { [1i64,3i64] }
-- output { [1i64, 3i64] [true, true, false, false] [0i64, 1i64] [0i64, 0i64, 1i64, 2i64] }
entry main [n] (xs: [n]i64) = let (a, b, c, d) = flatmap' (\x : []i64 -> iota x) xs in (a, b, c, d)
