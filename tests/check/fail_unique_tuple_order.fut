-- A part of a tuple is consumed by the next part.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (xs: *[]i32) = (xs, xs with [0] = 1)
