-- Functions stay inside.
-- ==
-- error: parameters and results of an entry are values, not functions.*H3011
def main (f: i32 -> i32) : i32 = f 1
