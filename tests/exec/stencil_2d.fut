-- The 3x3 box sum, also of a single row, a single column, one cell and nothing.
-- tolerance: exact
-- ==
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32], [7i32, 8i32, 9i32]] }
-- output { [[21i32, 27i32, 33i32], [39i32, 45i32, 51i32], [57i32, 63i32, 69i32]] }
-- ==
-- input { [[1i32, 2i32]] }
-- output { [[12i32, 15i32]] }
-- ==
-- input { [[1i32], [2i32]] }
-- output { [[12i32], [15i32]] }
-- ==
-- input { [[4i32]] }
-- output { [[36i32]] }
-- ==
-- input { empty([0][3]i32) }
-- output { empty([0][3]i32) }
-- ==
-- input { empty([2][0]i32) }
-- output { empty([2][0]i32) }
entry main [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  stencil_2d [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0), (1, 1)]
             (\_ v -> reduce (+) 0 v)
             (rep (rep ()))
             xs
