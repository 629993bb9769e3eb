-- Slices and ranges whose bounds are written alike have one size, also where it is no polynomial.
-- ==
-- input { [1, 2, 3, 4, 5] } output { [1, 2] [1, 2] [0i64, 1i64] }
def main [n] (xs: [n]i32) : ([n / 2]i32, [n / 2]i32, [n / 2]i64) =
  unzip3 (zip3 xs[0:n / 2] xs[:n / 2] (0..<n / 2))
