-- Slices check their bounds once; what the types prove needs no check.
def main [n] [m] (xs: [n][m]f32) (i: i64) (j: i64) (s: i64) =
  (xs[i:j], xs[:, i], xs[::-1], xs[i, 1:], xs[i:j:s, j])
