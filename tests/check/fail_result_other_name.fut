-- Two branches of known, different sizes do not give the declared size.
-- ==
-- error: size `k` is not `n`: the result of `main` has type `\[k\]i64`, but `\[n\]i64` is needed.*H4001
def main (b: bool) (n: i64) (m: i64) : [n]i64 = if b then iota n else iota m
