-- Updates outside the array.
-- ==
-- entry: cell
-- input { 3i64 }
-- error: `\[3.`.*H7001
-- ==
-- entry: rows
-- input { 2i64 }
-- error: H7002
-- ==
-- entry: in_loop
-- input { 4i64 }
-- error: `\[3.`.*H7001
entry cell (i: i64) : [3]i64 = iota 3 with [i] = 0
entry rows (i: i64) : [2][2]i64 = replicate 2 (iota 2) with [i:i + 1] = [[1, 2]]
entry in_loop (n: i64) : [3]i64 = loop a = iota 3 for i < n do a with [i] = 0
