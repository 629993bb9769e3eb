-- A size may be evaluated any number of times, so it consumes nothing.
-- ==
-- error: a size updates nothing.*H4002
def first (xs: *[]i64) : i64 = let xs[0] = xs[0] + 1 in xs[0]
def f [n] (ns: *[n]i64) (xs: [first ns]f32) : f32 = xs[0]
def main (x: f32) : f32 = f [1] [x, x]
