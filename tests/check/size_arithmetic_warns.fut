-- What Halo knows by arithmetic, Futhark does not.
-- ==
-- warning: `k\+\(n-k\)` is `n` by arithmetic.*H4001
-- warning: `m\+n` is `n\+m` by arithmetic.*H4001
-- warning: `sq` is `n\*n` by arithmetic.*H4001
-- warning: Futhark rejects this.*size `a` is not `b`.*H4001
-- warning: `5-2` is `3` by arithmetic.*H4001
def halves [n] (k: i64) (xs: [n]i32) : [n]i32 = take k xs ++ drop k xs
def turned [n] [m] (xs: [n]i32) (ys: [m]i32) : [n + m]i32 = ys ++ xs
def square (n: i64) = let sq = n * n let xs: [n * n]i64 = iota sq in xs
def c = 4i64
def constant : [4]i64 = iota c
def reshaped [a] [b] (xs: [a][b]i32) : [b][a]i32 = unflatten (flatten xs)
def slice (xs: []i32) : [3]i32 = xs[2:5]
