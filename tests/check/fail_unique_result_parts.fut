-- Parts of a result with stars do not share.
-- ==
-- error: two parts of the result of `f` may share the memory of `ys`
def f (n: i64) : (*[n]i64, *[n]i64) = let ys = iota n in (ys, ys)
def main (n: i64) : ([]i64, []i64) = f n
