-- In whatever order.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def f (xs: []i32) (ys: []i32) : i32 = xs[0] + ys[0]
def main (xs: *[]i32) : i32 = f xs (xs with [0] = 1)
