-- A size updates nothing.
-- ==
-- error: a size updates nothing.*H4002
def main (n: i64) (ns: [1]i64) (xs: [(copy ns with [0] = n)[0]]i32) : i32 = xs[0]
