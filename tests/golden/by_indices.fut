-- A product whose operands are written by indices has rows and columns as inputs; a sum of columns takes what makes its rows.
def main [n] [p] [m] (a: [n][p]f32) (b: [p][m]f32) (ms: [m]f32) : [m]f32 =
  let c = tabulate_2d n m (\i j -> f32.sum (map (\k -> a[i, k] * b[k, j]) (iota p)))
  in map2 (+) c[0] (reduce (map2 (+)) (replicate m 0) (map (map2 (\m x -> (x - m) * (x - m)) ms) c))
