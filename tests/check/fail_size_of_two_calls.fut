-- Each call of filter gives a size of its own.
-- ==
-- error: size `count'` is not `count`: argument 3 of `map2` has type `\[count'\]i32`, but `\[count\]i32` is needed.*H4001
def main (p: i32 -> bool) (xs: []i32) = map2 (+) (filter p xs) (filter p xs)
