-- The declared type of a function is all that its users know: `[]` may be any size.
-- ==
-- error: argument 3 of `map2`
def f (n: i64): []i64 = iota n

def main (n: i64) = map2 (+) (f n) (f n)
