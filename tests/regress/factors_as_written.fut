-- `[n * 3]` has n rows of three, although as a polynomial it is `3 * n`; a factor that both sides
-- have is not taken for another one.
-- ==
-- entry: rows
-- input { [1i32, 2i32] } output { [[1i32, 2i32, 1i32], [2i32, 1i32, 2i32]] }
-- ==
-- entry: columns
-- input { [1i32, 2i32] } output { [[1i32, 2i32], [1i32, 2i32], [1i32, 2i32]] }
-- ==
-- entry: lasts
-- input { [1i32, 2i32] } output { [1i32, 2i32] }
def by_three [n] (xs: [n * 3]i32) = unflatten xs
def three_of [n] (xs: [3 * n]i32) = unflatten xs
entry rows [n] (xs: [n]i32) : [n][3]i32 = by_three (flatten (replicate 3 xs) :> [n * 3]i32)
entry columns [n] (xs: [n]i32) : [3][n]i32 = three_of (flatten (replicate 3 xs))
entry lasts [n] (xs: [n]i32) : [n]i32 = map last (unflatten (flatten (replicate 3 xs) :> [n * 3]i32))
