-- A one-dimensional stencil over rows: the neighbours are whole rows.
-- tolerance: exact
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] }
-- output { [[4i32, 6i32], [6i32, 8i32], [8i32, 10i32]] }
entry main [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  stencil_1d [-1, 1] (\_ v -> map2 (+) v[0] v[1]) (rep ()) xs
