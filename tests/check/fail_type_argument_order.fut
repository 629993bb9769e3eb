-- Arguments of a type come in the order of its parameters.
-- ==
-- error: type `table` is applied as `table _ \[\.\.\]`, its parameters are `table \[\.\.\] _` \[H3002\]
type table [n] 'a = [n]a
def main (xs: table i32 [2]) = xs[0]
