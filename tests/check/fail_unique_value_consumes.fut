-- The value of an update comes first, and may not consume the array.
-- ==
-- error: `xs` is used after it was consumed \[H3015\]
def f (xs: *[]i32) : i32 = (xs with [0] = 1)[0]
def main (xs: *[]i32) = (xs with [1] = 2) with [0] = f xs
