-- Every step reads the array that the loop walks over.
-- ==
-- error: `xs` is used in the loop, which consumes it as its initial value \[H3015\]
def main (xs: *[]i32) = loop ys = xs for x in xs do ys with [x] = 1
