-- A loop of stencils.
-- tolerance: exact
-- ==
-- input { 3i32 [[0i32, 0i32, 0i32], [0i32, 64i32, 0i32], [0i32, 0i32, 0i32]] }
-- output { [[6i32, 9i32, 6i32], [9i32, 4i32, 9i32], [6i32, 9i32, 6i32]] }
-- ==
-- input { 0i32 [[1i32, 2i32]] }
-- output { [[1i32, 2i32]] }
entry main [n] [m] (steps: i32) (xs: [n][m]i32) : [n][m]i32 =
  loop a = xs
  for _i < steps do
    stencil_2d [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
               (\_ v -> (v[1] + v[2] + v[3] + v[4]) / 4)
               (rep (rep ()))
               a
