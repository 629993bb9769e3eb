-- A cell that fails: the first in linear order.
-- ==
-- input { [[1i32, 0i32], [0i32, 3i32]] }
-- error: division by zero.*H7003
-- ==
-- input { [[1i32, 2i32], [1i32, 3i32]] }
-- output { [[12i32, 6i32], [12i32, 4i32]] }
entry main [n] [m] (a: [n][m]i32) : [n][m]i32 =
  stencil_2d [(0, 0), (0, 1)] (\k v -> k / v[0]) (map (map (\_ -> 12i32)) a) a
