-- An element of a product that reads a scalar of its row, under a map: tiles took the row of another schedule.
-- ==
-- input { [1, 2, 3] [4, 5] [[1, 2], [3, 4]] [[5, 6], [7, 8]] }
-- output { [[[-22, -4], [-45, -19]], [[-17, -3], [-38, -16]], [[-12, -2], [-31, -13]]] }
-- input { empty([0]i32) [4, 5] [[1, 2], [3, 4]] [[5, 6], [7, 8]] }
-- output { empty([0][2][2]i32) }
def main [l] [n] [p] [m] (ks: [l]i32) (rs: [n]i32) (bs: [p][m]i32) (as: [n][m]i32) : [l][n][p]i32 =
  let cell k r a b = i32.sum (map2 (\x y -> (x - k) * (y - r)) a b)
  in map (\k -> map2 (\r a -> map (cell k r a) bs) rs as) ks
