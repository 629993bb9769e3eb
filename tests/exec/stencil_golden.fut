-- docs/language.md#stencils: offsets in any order, reaching over every edge.
-- tolerance: exact
-- ==
-- input { [[5i32, 2i32, 6i32, 4i32], [10i32, 4i32, 5i32, 1i32]] }
-- output { [[14i32, 12i32, 12i32, 7i32], [19i32, 14i32, 11i32, 4i32]] }
entry main [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  stencil_2d [(-1, -2), (0, 0), (2, 1)] (\_ v -> i32.sum v) (rep (rep ())) xs
