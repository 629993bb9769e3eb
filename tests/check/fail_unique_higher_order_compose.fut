-- Composition does not consume.
-- ==
-- error: it consumes an argument that must be left alone
def set [n] (xs: *[n]i32) : *[n]i32 = xs with [0] = 1
def main (xs: *[]i32) : i32 = (set >-> head) xs
