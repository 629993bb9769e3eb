-- Typed holes are for a later version.
-- ==
-- error: typed holes .*\[H2006]
def main (x: i32): i32 = ???
