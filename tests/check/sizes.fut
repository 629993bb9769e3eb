-- Sizes that the checker relates: sums, products, slices, constants.
-- ==
-- entry: halves
-- input { [1, 2, 3, 4, 5] } output { [1, 2] [3, 4, 5] }
-- ==
-- entry: grid
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64], [3i64, 4i64, 5i64]] }
-- ==
-- entry: border
-- input { 3i64 } output { [0i64, 2i64, 4i64, 6i64] }
-- ==
-- entry: constant
-- input { 7 } output { [8, 9, 10] }
entry halves [n] (xs: [n]i32) = let h = n / 2 in (xs[:h], xs[h:])
entry grid (n: i64) (m: i64) : [n][m]i64 = unflatten (iota (n * m))
entry border (n: i64) = let m = n + 1 in map2 (+) (iota m) (iota (1 + n))
def width = 3i64
entry constant (x: i32) : [width]i32 = map2 (+) (replicate width x) [1, 2, 3]
