-- Local functions have one type unless they say otherwise.
-- ==
-- error: .*H3002
def main (x: i32) : (i32, bool) = let f y = y in (f x, f true)
