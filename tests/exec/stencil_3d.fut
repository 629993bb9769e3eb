-- Seven points in space: outermost axis first.
-- tolerance: exact
-- ==
-- input { [[[1i32, 2i32], [3i32, 4i32]], [[5i32, 6i32], [7i32, 8i32]]] }
-- output { [[[14i32, 19i32], [24i32, 29i32]], [[34i32, 39i32], [44i32, 49i32]]] [[[5i32, 6i32], [7i32, 8i32]], [[5i32, 6i32], [7i32, 8i32]]] }
-- ==
-- input { empty([1][0][2]i32) }
-- output { empty([1][0][2]i32) empty([1][0][2]i32) }
entry main [n] [m] [k] (xs: [n][m][k]i32) : ([n][m][k]i32, [n][m][k]i32) =
  let star = [(0, 0, 0), (-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)]
  in ( stencil_3d star (\_ v -> i32.sum v) (rep (rep (rep ()))) xs
     , stencil_3d [(1, 0, 0)] (\_ v -> v[0]) (rep (rep (rep ()))) xs
     )
