-- Sizes that only a result knows, through definitions of the program.
-- tolerance: exact
-- ==
-- entry: g
-- input { [[1,2,3],[4,5,6]] 5 }
-- output { [6i32, 15i32] [5i32, 7i32, 9i32] [[6i32, 7i32, 8i32], [9i32, 10i32, 11i32]] }
-- tolerance: exact
-- ==
-- entry: h
-- input { [1,2,3] 2 }
-- output { 1i64 3i32 }
-- input { [1,2,3] 7 }
-- error: slice `\[7:3]` is out of range for a dimension of size `3`.*H7002

def rowSums [n] [m] (xs: [n][m]i32) : [n]i32 = map i32.sum xs
entry g (xs: [][]i32) (k: i32) = (rowSums xs, rowSums (transpose xs), map (map (+ k)) xs)
def sub [n] (xs: [n]i32) (i: i64) : []i32 = xs[i:]
entry h (xs: []i32) (k: i32) = let ys = sub xs (i64.i32 k) in (length ys, i32.sum ys)
