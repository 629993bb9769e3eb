-- An argument that has captured the array.
-- ==
-- error: `xs` is consumed by this call
def f (xs: *[]i32) (g: i64 -> i32) : *[]i32 = xs with [0] = g 0
def main (xs: *[]i32) : []i32 = f xs (\i -> xs[i])
