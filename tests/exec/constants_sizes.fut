-- Constants that are sizes, in modules, too.
-- tolerance: exact
-- ==
-- input { 5i64 }
-- output { [4i32, 4i32, 4i32, 4i32] 14i64 [[5i64, 6i64, 7i64, 8i64], [6i64, 7i64, 8i64, 9i64], [7i64, 8i64, 9i64, 10i64], [8i64, 9i64, 10i64, 11i64]] [0i64, 10i64, 20i64, 0i64, 10i64] 4i64 }
def k = 3i64
def tbl : [k]i64 = tabulate k (\i -> i * 10)
module inner = {def size = k + 1 def mk (x: i32) : [size]i32 = replicate size x local def hidden = tbl[1] def get = hidden + size}
open inner
def rows [n] (f: i64 -> i64) (_: [n]i32) : [n][size]i64 = map (\i -> map (+ f i) (iota size)) (iota n)
entry main (n: i64) = (mk 4, get, rows (+ n) (mk 1), map (\i -> tbl[i % k]) (iota n), size)
