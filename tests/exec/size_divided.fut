-- A size that is told by a multiple of it: `2 * k` is `2 * (n / 3)`, or `2 * n + 4`.
def pairs [k] (xs: [2 * k]i32) : [k]i32 = tabulate k (\i -> xs[2 * i] + xs[2 * i + 1])

-- ==
-- entry: third
-- input { [1, 2, 3, 4, 5, 6, 7] } output { [3i32, 7i32] [5i32, 6i32, 7i32] }
entry third [n] (xs: [n]i32) : ([]i32, []i32) =
  (pairs (take (2 * (n / 3)) xs), drop (2 * (n / 3)) xs)

-- ==
-- entry: more
-- input { [1, 2] } output { [3i32, 3i32, 0i32, 0i32] }
entry more [n] (xs: [n]i32) : []i32 = pairs (xs ++ xs ++ replicate 4 0)
