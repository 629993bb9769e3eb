-- Functions whose result size is their argument, also as parameters.
-- ==
-- input { 3i64 }
-- output { [0i64, 1i64, 2i64] [0i64, 1i64, 2i64, 3i64, 4i64] }
def use (f: (n: i64) -> [n]i64) (k: i64) : ([k]i64, [k + 2]i64) = (f k, f (k + 2))
def main (k: i64) = use iota k
