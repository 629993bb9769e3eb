-- Of `f <| x`, f is evaluated first: it cannot be specialised for a size that x brings.
-- ==
-- error: size `count` of type .* is used before it is known.*H4002
def count [n] (limit: i32) (xs: [n]i32) : i64 = n + i64.i32 (i32.min limit xs[0])
def main (xs: []i32) : i64 = count 3 <| filter (> 2) xs
