-- What fails inside prelude code is reported at the application in this file.
def main [n] (xs: [n]i32) (i: i64) : ([]i32, i32, []i32) =
  (take i xs, last xs, map (10 /) xs)
