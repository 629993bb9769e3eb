-- Scalar types take no arguments.
-- ==
-- error: type `i32` takes no arguments.*H3002
def main (x: i32 i32) : i32 = 3
