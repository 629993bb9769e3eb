-- `scatter` takes its elements from another array.
-- ==
-- error: `xs` is consumed by this call
def main [n] (xs: *[n]i32) : []i32 = scatter xs (iota n) (reverse xs)
