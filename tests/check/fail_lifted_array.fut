-- Elements are plain values.
-- ==
-- error: `a` may hold a function, but array elements are data of one shape.*H3021
def f '^a (xs: []a) = length xs
def main (xs: []i32) : i64 = f xs
