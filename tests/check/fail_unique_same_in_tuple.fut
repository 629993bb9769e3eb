-- A consumed tuple holds an array once.
-- ==
-- error: `xs` is consumed by this call
def f (p: *([]i32, []i32)) : i32 = p.0[0] + p.1[0]
def main (xs: *[]i32) : i32 = f (xs, xs)
