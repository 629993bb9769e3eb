-- A number is applied.
-- ==
-- error: `x` is applied to an argument, but has type `i32`.*H3004
def main (x: i32) : i32 = x 1
