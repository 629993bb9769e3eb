-- Negative and absurd sizes; a failure inside the prelude is shown at the application.
-- ==
-- entry: by_iota
-- input { -1i64 }
-- error: -1.*H7005
-- ==
-- entry: by_replicate
-- input { -5i64 }
-- error: -5.*H7005
-- ==
-- entry: by_tabulate
-- input { -2i64 }
-- error: -2.*H7005
-- ==
-- entry: overflow
-- input { 4611686018427387904i64 }
-- error: H7012
entry by_iota (n: i64) : i64 = i64.sum (iota n)
entry by_replicate (n: i64) : i64 = i64.sum (replicate n 1)
entry by_tabulate (n: i64) : i64 = i64.sum (tabulate n (\i -> i))
entry overflow (n: i64) : i64 = (replicate n (replicate n 1i64))[0, 0]
