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
-- input { 0i64 -1i64 } error: array size `-1` is negative
-- input { 0i64 1152921504606846976i64 } error: shape `.0..1152921504606846976.` has more elements
-- ==
-- entry: planes
-- input { 2i64 -1i64 } error: array size `-1` is negative
-- input { 0i64 2i64 } output { empty([0][2][2]i64) }
-- input { 0i64 -1i64 } error: array size `-1` is negative
-- ==
-- entry: counted
-- input { 0i64 -1i64 } error: array size `-1` is negative
-- input { 0i64 3i64 } output { 0i64 }
-- ==
-- entry: nested
-- input { 2i64 0i64 -3i64 } error: array size `-3` is negative
-- input { 0i64 -2i64 -3i64 } error: array size `-2` is negative
-- input { 1i64 0i64 3i64 } output { empty([1][0][3]i64) }
-- ==
-- entry: in_cells
-- input { [0i64, 1i64] -1i64 } error: array size `-1` is negative
-- input { [0i64, 1i64] 5i64 } output { [0i64, 1i64] }
-- ==
-- entry: turned
-- input { 1i64 -1i64 } error: array size `-1` is negative
-- input { 1i64 1152921504606846976i64 } error: array of shape `.1152921504606846976.` has more elements
-- input { 1i64 2i64 } output { [[0i64], [1i64]] }
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
entry counted (n: i64) (m: i64) = length (map (\i -> replicate m i) (iota n))
entry nested (n: i64) (m: i64) (o: i64) = map (\i -> map (\j -> replicate o (i + j)) (iota m)) (iota n)
entry in_cells (ks: []i64) (m: i64) = map (\k -> length (map (\j -> replicate m j) (iota k))) ks

-- An array that lies in memory as its view does: a replay takes it as it is made.
entry turned (n: i64) (m: i64) : [m][n]i64 = copy (transpose (tabulate_2d n m (\i j -> i * 10 + j)))
