-- The size of a result by calls within calls: two calls with one argument give one size.
def g (n: i64) : i64 = n / 2 + n % 3
def h0 (n: i64) : [g n]i64 = replicate (g n) 1
def h1 (n: i64) = h0 (g n + g (n + 1))
def h2 (n: i64) = h1 (g n + g (n + 1))
def h3 (n: i64) = h2 (g n + g (n + 1))
def h4 (n: i64) = h3 (g n + g (n + 1))

-- ==
-- entry: main
-- input { 9i64 } output { 10i64 }
-- input { 0i64 } auto output
entry main (n: i64) = length (zip (h4 n) (h4 n))
