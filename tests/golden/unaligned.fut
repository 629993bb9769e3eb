-- A register tile of unaligned rows, one of whole vectors and one of cells: rows of two f64 have one
-- alignment offset.
def main [n] [m] (xs: [n][m]f64) : [n][m]f64 =
  stencil_2d [(-1, 0), (0, 1)] (\_ v -> v[0] + v[1]) (rep (rep ())) xs
