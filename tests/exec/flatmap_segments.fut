-- Segments of different lengths, empty ones among them, with uniform results.
-- tolerance: exact
-- ==
-- input { [2i64, 0i64, 3i64, 0i64] }
-- output { [2i64, 0i64, 3i64, 0i64] [true, false, true, false, false] [0i64, 2i64, 2i64, 5i64] [0i64, 1i64, 0i64, 1i64, 2i64] [4i64, 0i64, 9i64, 0i64] }
-- ==
-- input { empty([0]i64) }
-- output { empty([0]i64) empty([0]bool) empty([0]i64) empty([0]i64) empty([0]i64) }
entry main [n] (xs: [n]i64) = flatmap (\x : ([]i64, i64) -> (iota x, x * x)) xs
