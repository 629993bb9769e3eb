-- `reduce_by_index` consumes its destination.
-- ==
-- error: `xs` is a parameter without `\*`
def main [n] (xs: []i32) (is: [n]i64) (vs: [n]i32) : []i32 = reduce_by_index xs (+) 0 is vs
