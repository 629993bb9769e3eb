-- New elements are not the array's own.
-- ==
-- error: the new elements may share memory with `xss`.*H3022
def main (xss: *[][]i32) : [][]i32 = xss with [0] = xss[1]
