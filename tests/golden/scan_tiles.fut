-- Prefix sums of an array and of rows, under requests that a default device does not choose:
-- decoupled look-back, and tiles of whole rows.
def main [n] [m] (xs: [n]i32) (ys: [n][m]i32) = (scan (+) 0 xs, map (scan (+) 0) ys)
