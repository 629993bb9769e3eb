-- What stands outside of an axis: stencils and pads (docs/language.md#stencils).
-- ==
-- entry: sums
-- input { [1, 2, 4, 8, 16, 32] }
-- output { [9, 16, 31, 62, 92, 120] [10, 16, 31, 62, 92, 104] [55, 47, 31, 62, 61, 59] [161, 92, 31, 62, 137, 210] }
-- input { [3] }
-- output { [15] [15] [15] [311] }
-- input { empty([0]i32) }
-- output { empty([0]i32) empty([0]i32) empty([0]i32) empty([0]i32) }
entry sums [n] (xs: [n]i32) =
  let s b = stencil_1d_with b [-2, -1, 0, 1, 2] (\() ns -> i32.sum ns) (replicate n ()) xs
  in (s #clamp, s #mirror, s #wrap, s (#constant 77))

-- ==
-- entry: pads
-- input { [1, 2, 3] }
-- output { [1, 1, 1, 2, 3, 3] [2, 1, 1, 2, 3, 3] [2, 3, 1, 2, 3, 1] [9, 9, 1, 2, 3, 9] }
-- input { [5] }
-- output { [5, 5, 5, 5] [5, 5, 5, 5] [5, 5, 5, 5] [9, 9, 5, 9] }
entry pads [n] (xs: [n]i32) =
  (pad_1d 2 1 #clamp xs, pad_1d 2 1 #mirror xs, pad_1d 2 1 #wrap xs, pad_1d 2 1 (#constant 9) xs)

-- ==
-- entry: planes
-- input { [[1, 2], [3, 4], [5, 6]] }
-- output { [[2, 1, 8], [2, 1, 8], [4, 3, 8], [6, 5, 8]] [[9, 9], [8, 1], [8, 3]] }
entry planes [n] [m] (xs: [n][m]i32) =
  ( (pad_2d 1 0 0 1 (#clamp, #constant 8) (map reverse xs))
  , stencil_2d_with (#constant 9, #constant 8) [(-1, -1)] (\() ns -> ns[0]) (replicate n (replicate m ())) xs
  )
