-- A keyword of a test block may touch what follows, and sizes of random values may have `_`.
-- ==
-- entry:twice
-- input { 4i64 }output{ 8i64 }

-- ==
-- entry:elements
-- random input{ [1_000][0_2]f32 } output { 2000i64 }

-- ==
-- entry:half
-- input { 1i64 } error:assertion
entry twice (n: i64) : i64 = 2 * n
entry half (n: i64) : i64 = assert (n % 2 == 0) (n / 2)
entry elements [n] [m] (_: [n][m]f32) : i64 = n * m
