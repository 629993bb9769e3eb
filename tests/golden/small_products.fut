-- Many small products of a batch share a workgroup.
def main [b] [n] [m] [k] (xs: [b][n][k]f32) (ys: [b][k][m]f32) : [b][n][m]f32 =
  map2 (\x y -> map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose y)) x) xs ys
