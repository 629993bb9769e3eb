-- A property of arrays in numpy.
-- ==
-- error: no field .T.*help: .transpose xs. exchanges
def main (xs: [][]f32) = xs.T
