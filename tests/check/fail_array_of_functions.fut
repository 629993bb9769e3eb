-- Arrays hold values.
-- ==
-- error: an array of functions.*H3013
def main (x: i32) : i32 = let fs = [i32.abs, i32.sgn] in x
