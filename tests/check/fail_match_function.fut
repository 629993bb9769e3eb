-- Cases are values.
-- ==
-- error: `match` gives a function.*H3013
def main (x: i32) : i32 = (match x case 0 -> i32.abs case _ -> i32.sgn) x
