-- What a recursive call gives has a size of its own.
-- ==
-- error: size .*H4001
def grow [n] (xs: [n]i32) (k: i32) : []i32 = if k == 0 then xs else grow (xs ++ xs) (k - 1)
def main [n] (xs: [n]i32) : [n]i32 = map2 (+) xs (grow xs 1)
