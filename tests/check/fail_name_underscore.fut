-- A name that begins with an underscore is never used.
-- ==
-- error: `_x` begins with `_`, so it is not for use: call it `x` \[H3001\]
def main (_x: i32) = _x + 1
