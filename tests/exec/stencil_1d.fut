-- Five-point sums with clamped edges; tiny and empty arrays.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32, 4i32, 8i32, 16i32, 32i32] }
-- output { [9i32, 16i32, 31i32, 62i32, 92i32, 120i32] }
-- ==
-- input { [7i32] }
-- output { [35i32] }
-- ==
-- input { [1i32, 10i32] }
-- output { [23i32, 32i32] }
-- ==
-- input { empty([0]i32) }
-- output { empty([0]i32) }
entry main [n] (xs: [n]i32) : [n]i32 =
  stencil_1d [-2, -1, 0, 1, 2] (\_ v -> v[0] + v[1] + v[2] + v[3] + v[4]) (rep ()) xs
