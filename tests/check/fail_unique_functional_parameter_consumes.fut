-- A function parameter may consume.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def f [n] (g: *[n]i32 -> i32) (xs: *[n]i32) : i32 = g xs + xs[0]
def main (xs: *[]i32) : i32 = f (\(xs: *[]i32) -> (xs with [0] = 1)[0]) xs
