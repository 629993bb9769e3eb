-- A literal with a fraction beside an integer.
-- ==
-- error: help: .f64.i32 x. converts an .i32. to .f64
def main (x: i32) = 1.5 * x
