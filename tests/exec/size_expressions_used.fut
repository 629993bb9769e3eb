-- Sizes that are expressions: arithmetic, division, calls.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32, 3i32, 4i32] } output { [1i32, 2i32] [5i32, 5i32, 5i32, 5i32, 5i32] 3i64 }
def half [n] (xs: [n]i32) : [n / 2]i32 = take (n / 2) xs
def twice (n: i64) : i64 = 2 * n
def more (n: i64) : [twice n + 1]i32 = replicate (twice n + 1) 5i32
def count [n] (_: [n]i32) : i64 = n - 1

entry main [n] (xs: [n]i32) = (half xs, more (n / 2), count xs)
