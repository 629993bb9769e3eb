-- Sums that all cells but a diagonal, or half of them, want are a product of matrices.
entry main [n] [d] (xs: [n][d]f32) (ys: [n][d]f32) : ([n][n]f32, [n][n]f32) =
  ( tabulate_2d n n (\i j -> if i == j then 1 else f32.sum (map2 (*) xs[i] xs[j]))
  , tabulate_2d n n (\i j -> if j <= i then f32.sum (map2 (*) xs[i] ys[j]) / 8 else -1e9)
  )
