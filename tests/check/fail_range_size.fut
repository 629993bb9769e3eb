-- A range with a second element has a known size only if it counts from 0 below its bound, or from
-- 1 up to it.
-- ==
-- error: H4001
def main (n: i64) : [n]i64 = 1..2..<n + 1
