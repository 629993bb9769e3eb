-- Two sizes of one name are told apart.
-- ==
-- error: size `count'` is not `count`: argument 2 of `zip` has type `\[count'\]i32`, but `\[count\]i32` is needed.*H4001
def pairs (xs: []i32) = zip (filter (> 0) xs) (filter (< 0) xs)
