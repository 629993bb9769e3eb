-- A function that consumes is no argument for one that does not.
-- ==
-- error: it consumes an argument that must be left alone.*H3022
def set (xs: *[]i32) : *[]i32 = xs with [0] = 1
def main (xss: [][]i32) : [][]i32 = map set xss
