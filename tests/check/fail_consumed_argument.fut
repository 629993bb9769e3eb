-- A `*` parameter consumes its argument.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def clear (xs: *[]i32) = xs with [0] = 0
def main (xs: *[]i32) : i32 = let ys = clear xs in ys[0] + xs[0]
