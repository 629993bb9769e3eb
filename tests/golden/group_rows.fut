-- Lanes of a workgroup write rows with an odd pitch, so that they meet in no bank; the nest of 8 x 64
-- cells has 256 lanes; results lie as their consumer has them.
entry main [n] (xs: [n][8][64]f32) : [n][2][8][64]f32 =
  let cell x =
    let y = tabulate_2d 8 64 (\i j -> let v = x[i, j] in [v, v + 1, v + 2, v + 3])
    in tabulate_2d 8 64 (\i k -> [y[i, k, 0] + y[i, 63 - k, 3], y[7 - i, k, 1] * y[i, k, 2]])
  let zs = #[flattening(only_intra)] map cell xs
  in map (\z -> transpose (map transpose z)) zs
