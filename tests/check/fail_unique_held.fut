-- A partial application holds also what has no name, and would consume it twice.
-- ==
-- error: this is a function that may run twice, and making it consumes this value \[H3022\]
def set (xs: *[]i32) (i: i32): *[]i32 = xs with [0] = i
def main (xs: []i32) = let f = set (copy xs) in (f 1, f 2)
