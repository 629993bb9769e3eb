-- Only sizes with names may be others in a recursive call.
-- ==
-- error: need names, `\[n\]`
def s (xs: []i32) : i32 = if null xs then 0 else xs[0] + s (drop 1 xs)
def main (xs: []i32) : i32 = s xs
