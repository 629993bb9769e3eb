-- Both of which are consumed.
-- ==
-- error: `xs` is consumed by this call
def f (xs: *[]i32) (ys: *[]i32) : *[]i32 = xs with [0] = ys[0]
def main (xs: *[]i32) : []i32 = f xs xs
