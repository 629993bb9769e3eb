-- A property of arrays in numpy.
-- ==
-- error: no field .shape.*help: .length xs. is the outer size
def main (xs: [][]i32) = xs.shape
