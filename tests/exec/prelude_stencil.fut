-- Boundaries of docs/language.md#stencils: five-point sums, offsets -2 to 2.
-- ==
-- entry: sums
-- input { [1i32, 2i32, 4i32, 8i32, 16i32, 32i32] }
-- output { [9i32, 16i32, 31i32, 62i32, 92i32, 120i32] [10i32, 16i32, 31i32, 62i32, 92i32, 104i32]
--          [55i32, 47i32, 31i32, 62i32, 61i32, 59i32]
--          [207i32, 115i32, 31i32, 62i32, 160i32, 256i32] }
-- input { empty([0]i32) }
-- output { empty([0]i32) empty([0]i32) empty([0]i32) empty([0]i32) }
-- input { [3i32] } output { [15i32] [15i32] [15i32] [403i32] }
entry sums [n] (xs: [n]i32) : ([n]i32, [n]i32, [n]i32, [n]i32) =
  let sum5 b = stencil_1d_with b [-2, -1, 0, 1, 2] (\_ v -> i32.sum v) (rep ()) xs
  in (sum5 #clamp, sum5 #mirror, sum5 #wrap, sum5 (#constant 100))

-- A boundary for each axis; where several axes are outside, the outermost decides.
-- ==
-- entry: corners
-- input { [[1i32, 2i32], [3i32, 4i32]] }
-- output { [[10i32, 10i32], [20i32, 1i32]] [[10i32, 10i32], [2i32, 1i32]] }
entry corners [n] [m] (xs: [n][m]i32) : ([n][m]i32, [n][m]i32) =
  let shift bs = stencil_2d_with bs [(-1, -1)] (\_ v -> v[0]) (rep (rep ())) xs
  in (shift (#constant 10, #constant 20), shift (#constant 10, #wrap))

-- ==
-- entry: cubes
-- input { [[[1i32, 2i32], [3i32, 4i32]]] }
-- output { [[[4i32, 3i32], [2i32, 1i32]]] [[[1i32, 1i32], [1i32, 1i32]]] }
entry cubes [n] [m] [k] (xs: [n][m][k]i32) : ([n][m][k]i32, [n][m][k]i32) =
  let at bs offsets = stencil_3d_with bs offsets (\_ v -> v[0]) (rep (rep (rep ()))) xs
  in (at (#wrap, #wrap, #wrap) [(5, 1, 1)], at (#clamp, #clamp, #clamp) [(0, -9, -9)])

-- The invariant of a cell, tuples as elements, offsets that are known at run time only.
-- ==
-- entry: tuples
-- input { [1i32, 2i32, 3i32] [10i32, 20i32, 30i32] 1i64 }
-- output { [31i32, 51i32, 41i32] }
entry tuples [n] (xs: [n]i32) (ks: [n]i32) (d: i64) : [n]i32 =
  stencil_1d_with #wrap [-d, d] (\k v -> k + 10 * v[1].0 + v[0].1 - v[0].0 + 1) ks (zip xs xs)

-- The module holds the same names.
-- ==
-- entry: qualified
-- input { [1i32, 2i32, 3i32] } output { [1i32, 1i32, 2i32] [2i32, 3i32, 3i32] }
entry qualified [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  ( stencil.stencil_1d [-1] (\_ v -> v[0]) (rep ()) xs
  , stencil.stencil_1d_with #mirror [1] (\_ v -> v[0]) (rep ()) xs
  )
