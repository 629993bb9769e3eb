-- Rows of three that lie one after another are read by vectors, of which each has elements of three columns.
def main [n] (xs: [n][3]f32) : [3]f32 = map f32.sum (transpose xs)
