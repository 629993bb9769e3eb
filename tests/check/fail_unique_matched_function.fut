-- A name for a function may be used twice, so making the function consumes nothing.
-- ==
-- error: this is a function that may run twice, and making it consumes `xs` \[H3022\]
def set (xs: *[]i32) (i: i32): *[]i32 = xs with [0] = i
def main (xs: *[]i32) = match set xs case f -> (f 1, f 2)
