-- Elements are plain values.
-- ==
-- error: an array of any type.*H3021
def f '^a (xs: []a) = length xs
def main (xs: []i32) : i64 = f xs
