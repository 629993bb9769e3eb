-- The body needs the size that the array starts with, so it may not change.
-- ==
-- error: H4001
def f [n] (ys: [n]i32) = loop xs = ys for _i < 3i32 do map2 (+) xs ys ++ [1]
