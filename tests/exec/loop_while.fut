-- `while`: the condition sees the carried values.
-- tolerance: exact
-- ==
-- input { 27i64 }
-- output { 111i64 1i64 }
-- ==
-- input { 1i64 }
-- output { 0i64 1i64 }
entry main (n: i64) : (i64, i64) =
  loop (steps, x) = (0i64, n)
  while x != 1 do
    (steps + 1, if x % 2 == 0 then x / 2 else 3 * x + 1)
