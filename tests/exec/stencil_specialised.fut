-- Offsets that only the run tells, the same ones again and again: the fourth call has code of its own
-- (jit/specialised). Calls with others in between.
-- tolerance: exact
-- ==
-- entry: line
-- input { [-1i64, 0i64, 1i64] [1, 2, 4, 8, 16] } output { [4, 7, 14, 28, 40] }
-- input { [-1i64, 0i64, 1i64] [1, 2, 4, 8, 16] } output { [4, 7, 14, 28, 40] }
-- input { [2i64, -9i64] [1, 2, 4, 8, 16] } output { [5, 9, 17, 17, 17] }
-- input { [-1i64, 0i64, 1i64] [1, 2, 4, 8, 16] } output { [4, 7, 14, 28, 40] }
-- input { [-1i64, 0i64, 1i64] [1, 2, 4, 8, 16] } output { [4, 7, 14, 28, 40] }
-- input { [-1i64, 0i64, 1i64] [5, 7] } output { [17, 19] }
-- input { empty([0]i64) [5, 7] } output { [0, 0] }
-- input { [-1i64, 0i64, 1i64] empty([0]i32) } output { empty([0]i32) }
entry line [d] [n] (offsets: [d]i64) (xs: [n]i32) : [n]i32 =
  stencil_1d offsets (\() v -> i32.sum v) (rep ()) xs

-- ==
-- entry: weighted
-- input { [-1i64, 1i64] [2, 3] [1, 2, 4] } output { [2i64, 4i64] [8, 14, 16] }
-- input { [-1i64, 1i64] [2, 3] [1, 2, 4] } output { [2i64, 4i64] [8, 14, 16] }
-- input { [-1i64, 1i64] [3, 2] [1, 2, 4] } output { [3i64, 3i64] [7, 11, 14] }
-- input { [-1i64, 1i64] [2, 3] [1, 2, 4] } output { [2i64, 4i64] [8, 14, 16] }
entry weighted [d] [n] (offsets: [d]i64) (weights: [d]i32) (xs: [n]i32) : ([d]i64, [n]i32) =
  ( map2 (\o w -> i64.i32 w + (o + 1) / 2) offsets weights
  , stencil_1d offsets (\() v -> i32.sum (map2 (*) weights v)) (rep ()) xs
  )

-- ==
-- entry: box
-- input { 1i64 [[1, 2], [3, 4]] } output { [[18, 21], [24, 27]] }
-- input { 1i64 [[1, 2], [3, 4]] } output { [[18, 21], [24, 27]] }
-- input { 1i64 [[1, 2], [3, 4]] } output { [[18, 21], [24, 27]] }
-- input { 0i64 [[1, 2], [3, 4]] } output { [[1, 2], [3, 4]] }
-- input { 1i64 [[1, 2], [3, 4]] } output { [[18, 21], [24, 27]] }
-- input { 2i64 [[1, 2], [3, 4]] } output { [[55, 60], [65, 70]] }
entry box [n] [m] (r: i64) (xs: [n][m]i32) : [n][m]i32 =
  let w = 2 * r + 1
  in stencil_2d (map (\k -> (k / w - r, k % w - r)) (iota (w * w))) (\() v -> i32.sum v) (rep (rep ())) xs
