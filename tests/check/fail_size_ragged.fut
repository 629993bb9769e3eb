-- Rows of one length.
-- ==
-- error: size `1` is not `2`: this element has type `\[1]i32`, but `\[2]i32` is needed.*H4001
def main (x: i32) : [][]i32 = [[x, x], [x]]
