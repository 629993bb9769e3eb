-- What a partial application has consumed is gone, whether it is called or not.
-- ==
-- error: `xs` is used after it was consumed \[H3015\]
def set (xs: *[]i32) (i: i32) : *[]i32 = xs with [0] = i
def main (xs: *[]i32) = let f = set xs in (f 1, xs[0])
