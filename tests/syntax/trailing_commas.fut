-- A comma may follow the last element everywhere.
-- ==
-- input { [1, 2] } output { 3 }
type pair = (i32, i32,)
def add ((a, b,): pair) = a + b
def main (xs: []i32) = add {0 = xs[0,], 1 = xs[1],}
