-- Every call of a lambda would consume the same array.
-- ==
-- error: `xs` comes from outside
def main (xs: *[]i64) : []i64 = map (\i -> (xs with [0] = i)[0]) (iota 3)
