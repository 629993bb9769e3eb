-- Functions have no equality.
-- ==
-- error: hold functions, which are not compared.*H3008
def main (x: i32) : bool = i32.abs == i32.sgn
