-- Malformed ranges.
-- ==
-- entry: inclusive
-- input { 3i64 2i64 }
-- error: H7008
-- ==
-- entry: stepped
-- input { 3i64 3i64 }
-- error: step 0.*H7008
-- ==
-- entry: below
-- input { 3i64 2i64 }
-- error: H7008
-- ==
-- entry: below
-- input { 3i64 3i64 }
-- output { 0i64 }
entry inclusive (a: i64) (b: i64) : i64 = length (a...b)
entry stepped (a: i64) (b: i64) : i64 = length (a..b...10)
entry below (a: i64) (b: i64) : i64 = length (a..<b)
