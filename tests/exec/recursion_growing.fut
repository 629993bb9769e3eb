-- A recursive function whose result grows.
-- ==
-- input { [1, 2] 2 }
-- output { [1, 2, 1, 2, 1, 2, 1, 2] }
def grow [n] (xs: [n]i32) (k: i32) : []i32 = if k == 0 then xs else grow (xs ++ xs) (k - 1)
def main (xs: []i32) (k: i32) : []i32 = grow xs k
