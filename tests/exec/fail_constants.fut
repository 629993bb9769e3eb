-- Constants run before the entry, in the order of definition, if the entry reaches them at all.
-- ==
-- input { 0i64 }
-- error: division by zero.*H7003
-- ==
-- input { 1i64 }
-- error: division by zero.*H7003
-- ==
-- entry: other
-- input { 3i64 }
-- output { 8i64 }
def table = map (\i -> 10 / i) (iota 3)
def later = 5i64 / 0
def five = 5i64
entry main (n: i64) : i64 = if n == 0 then 1 / n else if n == 1 then later else table[0]
entry other (n: i64) : i64 = n + five
