-- Operands are evaluated from left to right.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (xs: *[]i32) : i32 = (xs with [0] = 1)[0] + xs[0]
