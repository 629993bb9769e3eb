-- Sizes that cannot be, as constants (an argument that is one died in the checker; the product of
-- two wrapped to no memory at all) and of rows that are never made or cannot be.
-- ==
-- entry: negative
-- input { } error: array size `-1` is negative
-- ==
-- entry: lowest
-- input { } error: array size `-9223372036854775808` is negative
-- ==
-- entry: bytes
-- input { } error: array size `-1` is negative
-- ==
-- entry: rows
-- input { 3i64 -9223372036854775808i64 } error: array size `-9223372036854775808` is negative
-- input { 3i64 1152921504606846976i64 } error: shape `.1152921504606846976.` has more elements
-- input { 0i64 5i64 } output { empty([0][5]i64) }
-- ==
-- entry: planes
-- input { 2i64 -1i64 } error: array size `-1` is negative
-- input { 0i64 2i64 } output { empty([0][2][2]i64) }
-- ==
-- entry: shaped
-- input { 0i64 } error: array size `-1` is negative
-- input { 2i64 } error: array size `-1` is negative
entry negative = iota (-1)
entry lowest = length (iota i64.lowest)
entry bytes = replicate (-1) 0u8
entry rows (n: i64) (m: i64) = map (\i -> replicate m i) (iota n)
entry planes (n: i64) (m: i64) = tabulate_3d n m 2 (\i j k -> i + j + k)
entry shaped (n: i64) = map (\i -> map (+ i) (iota (-1))) (iota n)
