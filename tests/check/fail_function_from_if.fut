-- `if` chooses between values.
-- ==
-- error: `if` gives a function of type `i32 -> i32`.*H3013
def main (b: bool) (x: i32) : i32 = (if b then i32.abs else i32.sgn) x
