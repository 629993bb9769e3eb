-- The body of a loop needs a fixed size, and returns another.
-- ==
-- error: size `n-1` is not `n`.*H4001
def main [n] (xs: [n]i32) : [n]i32 = loop (ys: [n]i32) = xs for i < 3 do tail ys
