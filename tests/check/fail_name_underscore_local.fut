-- The same of a local one.
-- ==
-- error: `_y` begins with `_`.*H3001
def main (x: i32) = let _y = x in _y
