-- A size expression names nothing.
-- ==
-- error: a size binds no names.*H4002
def main (n: i64) (xs: [let m = n in m]i32): i32 = xs[0]
