-- A size expression names nothing.
-- ==
-- error: a size binds no names.*H4002
def main (n: i64) (xs: [loop m = n for _i < 3 do m]i32) : i32 = xs[0]
