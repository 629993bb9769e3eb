-- Nor a slice of it.
-- ==
-- error: the new elements may share memory with `xs`
def main (xs: *[]i32) : []i32 = xs with [0:2] = xs[1:3]
