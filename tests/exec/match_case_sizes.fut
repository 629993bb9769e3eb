-- Each case has a size of its own.
-- ==
-- input { 0i64 }
-- output { [0i64] }
-- input { 3i64 }
-- output { [0i64, 1i64, 2i64] }
def main (n: i64) : []i64 = match (n, n + 1) case (0, m) -> iota m case (k, _) -> iota k
