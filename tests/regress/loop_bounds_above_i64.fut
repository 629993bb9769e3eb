-- A loop up to a u64 that no i64 holds: compiled code counted as in i64, and made no iteration.
-- ==
-- entry: fails
-- input { 9223372036854775808u64 3u64 } error: assertion
-- input { 18446744073709551615u64 0u64 } error: assertion
-- input { 9223372036854775807u64 1000u64 } error: assertion
-- input { 0u64 3u64 } output { 0u64 }
-- input { 4u64 5u64 } output { 4u64 }
-- ==
-- entry: constant
-- input { 7u64 } error: assertion
-- ==
-- entry: cells
-- input { [0u64, 4u64] } output { [0u64, 4u64] }
-- input { [2u64, 9223372036854775808u64] } error: assertion
entry fails (n: u64) (k: u64) : u64 = loop x = 0 for i < n do assert (i < k) (x + 1)
entry constant (k: u64) : u64 = loop x = 0 for i < 10000000000000000000u64 do assert (i < k) (x + 1)
entry cells (ns: []u64) : []u64 = map (\n -> loop x = 0u64 for i < n do assert (i < 9) (x + 1)) ns
