-- Cells that give their row another name of the same size: one check of all cells, and no copy.
-- tolerance: exact
-- ==
-- entry: halves
-- input { [[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]] }
-- output { [[1i32, 3i32, 2i32, 4i32], [5i32, 7i32, 6i32, 8i32]] }
-- ==
-- entry: halves
-- input { empty([0][3]i32) }
-- output { empty([0][3]i32) }
-- ==
-- entry: halves
-- input { [[1i32, 2i32, 3i32]] }
-- error: H7006
-- ==
-- entry: columns
-- input { [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32], [7i32, 8i32]] }
-- output { [[1i32, 2i32], [5i32, 6i32], [3i32, 4i32], [7i32, 8i32]] }
def unshuffled [m] (xs: [m]i32) : [m]i32 =
  let h = m / 2
  in (map (\i -> xs[2 * i]) (iota h) ++ map (\i -> xs[2 * i + 1]) (iota h)) :> [m]i32

entry halves [n] [m] (xss: [n][m]i32) : [n][m]i32 = map unshuffled xss

entry columns [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  transpose (map unshuffled (transpose xss))
