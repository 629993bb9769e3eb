-- A launch stores several rows of one array, which are apart: 0, 1 and 2, and each cell reads its own elements of them.
-- Rows i and j are checked behind it, so that each has a launch of its own.
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] 2i64 2i64 }
-- output { [[9i32, 12i32], [8i32, 10i32], [4i32, 4i32]] [[1i32, 2i32], [3i32, 4i32], [4i32, 4i32]] }
def main [n] [m] (xs: *[n][m]i32) (i: i64) (j: i64) : *([n][m]i32, [n][m]i32) =
  let ys = copy xs
  let (a, b, c) = unzip3 (map3 (\x y z -> (x + y + z, y + z, y - x + 2)) xs[0] xs[1] xs[2])
  let (d, e) = unzip (map2 (\x y -> (x - y + 8, y - x + 2)) xs[0] xs[1])
  in (xs with [0] = a with [1] = b with [2] = c, ys with [i] = d with [j] = e)
