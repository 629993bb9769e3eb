-- The same on the other side.
-- ==
-- error: help: .f64.i32 x. converts an .i32. to .f64
def main (x: i32) = x / 2.0
