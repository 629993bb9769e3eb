-- Behind its scope, the name of an `i64` counts as its expression; `1...n` has `n - 1 + 1` elements.
-- ==
-- warning: `n-1\+1` is `n` by arithmetic.*H4001
def square (n: i64) : [n * n]i64 = let sq = n * n in iota sq
def chunk (n: i64) (k: i64) : [n / k * k]i64 = let m = n / k let all = m * k in iota all
def to (n: i64) : [n]i64 = 1...n
def by_one (n: i64) : [n]i64 = 1..2...n
