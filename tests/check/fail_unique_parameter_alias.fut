-- Nor is a view of it.
-- ==
-- error: `xs` is a parameter without `\*`
def main (xs: []i32) : []i32 = let ys = xs[1:] in ys with [0] = 1
