-- A size after `?` is shown by an array, the result of a function shows none.
-- ==
-- error: no array that shows the size `k`.*H4002
def later (n: i64) : ?[k].(i32 -> [k]i32) = \x -> replicate (n + 1) x
def main (n: i64) : []i32 = later n 7
