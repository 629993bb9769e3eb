-- A loop that concatenates has a size of its own, even though it doubles nothing.
-- ==
-- error: size `k` of type .* is used before it is known.*H4002
def main (n: i64) : i64 = length <| loop xs = ([] : []i32) for _i < n do xs ++ xs
