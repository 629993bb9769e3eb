-- Constant offsets whose sum with an index would overflow are clamped all the same.
-- tolerance: exact
-- ==
-- entry: line
-- input { [1i32, 2i32, 3i32] }
-- output { [31i32, 31i32, 31i32] }
-- ==
-- entry: grid
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[3i32, 3i32, 3i32], [6i32, 6i32, 6i32]] }
entry line [n] (xs: [n]i32) : [n]i32 =
  stencil_1d [9223372036854775807, -9223372036854775808] (\() v -> v[0] * 10 + v[1]) (rep ()) xs

entry grid [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  stencil_2d [(0, 9223372036854775807)] (\() v -> v[0]) (rep (rep ())) xs
