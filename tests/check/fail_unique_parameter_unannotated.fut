-- A parameter without annotation is not given away.
-- ==
-- error: `xs` is a parameter without `\*`
def f xs = xs with [0] = 1i32
def main (xs: []i32) : []i32 = f (copy xs)
