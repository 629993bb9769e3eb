-- Rows that cells make are stored as the array with other axes that is made of them. Rows that are
-- wanted in both orders, or whose cells would lie apart, are stored as they are.
def row (x: f32) : [4]f32 = [x, x + 1, x + 2, x + 3]

entry main [n] [m] (xs: [n]f32) (yss: [n][m]f32) : ([4][n]f32, [4][n]f32, [n][4]f32, [4][m][n]f32) =
  let across = transpose (map row xs)
  let both = map row (map (* 2) xs)
  let apart = map (map row) yss
  in (across, transpose both, both, map transpose (transpose (map transpose apart)))
