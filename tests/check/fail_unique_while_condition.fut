-- A condition consumes nothing from outside.
-- ==
-- error: `xs` comes from outside
def main (xs: *[]i32) : i32 = loop i = 0 while i < (xs with [0] = 1)[0] do i + 1
