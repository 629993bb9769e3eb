-- The caller has not given this array away.
-- ==
-- error: `xs` is a parameter without `\*`, which this would consume.*H3015
def main (xs: []i32) : []i32 = xs with [0] = 1
