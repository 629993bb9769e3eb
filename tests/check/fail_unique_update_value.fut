-- The new elements consume the array first.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (xs: *[]i32) : []i32 = xs with [0] = (xs with [1] = 2)[1]
