-- A user's lambda that prelude code runs fails at its own place.
-- ==
-- input { [1i64, 2i64] 3i64 }
-- error: `\[2.`.*H7001.*fail_lambda_in_prelude.fut:6:29
entry main [n] (a: [n]i64) (m: i64) : [m]i64 =
  tabulate m (\i -> 2 * i + a[i])
