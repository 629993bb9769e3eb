-- What a nest of three levels repeats at every point leaves it, the sums of `b` too: a product of matrices is left.

entry main [n] [m] [k] (points: [n][k]f32) (means: [m][k]f32) (scales: [m][k]f32) : [n][m]f32 =
  let term p a b = f32.sum b - 0.5 * f32.sum (map3 (\x y z -> ((x - y) * f32.exp z) ** 2) p a b)
  in map (\p -> map2 (term p) means scales) points
