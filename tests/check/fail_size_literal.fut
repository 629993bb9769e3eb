-- Literals have constant sizes.
-- ==
-- error: size `3` is not `2`.*H4001
def main (x: i32) : [2]i32 = [x, x, x]
