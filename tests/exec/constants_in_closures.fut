-- Constants that functions and closures reach.
-- tolerance: exact
-- ==
-- entry: cst
-- input { 2i64 }
-- output { 40i64 [21i64, 22i64] }
-- input { 9i64 }
-- error: index `\[9]` is out of range for an array of shape `\[5]`.*H7001

def tbl : [5]i64 = scan (+) 0 (iota 5)
def tot = i64.sum tbl
def get (f: i64 -> i64) (i: i64) = f (tbl[i]) + tot
entry cst (i: i64) = (get (\x -> x * tbl[0] + tot) i, map (get (+ 1)) [0, 1])
