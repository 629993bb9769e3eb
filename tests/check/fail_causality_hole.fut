-- Nothing says how large the hole is, where the other branch has not been taken.
-- ==
-- error: size `count` of type .* is used before it is known.*H4002
def main (keep: bool) (xs: []i32) : []i32 = if keep then filter (> 2) xs else ???
