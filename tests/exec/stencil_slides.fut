-- Maps over slides of pads are stencils: all boundaries, widths known at run time, two dimensions,
-- steps.
-- ==
-- entry: slides
-- input { [1, 2, 4, 8, 16, 32] }
-- output { [9, 16, 31, 62, 92, 120] [10, 16, 31, 62, 92, 104] [55, 47, 31, 62, 61, 59] [161, 92, 31, 62, 137, 210] }
entry slides [n] (xs: [n]i32) =
  let s (b: boundary i32) = map i32.sum (slide_1d 5 1 (pad_1d 2 2 b xs))
  in (s #clamp, s #mirror, s #wrap, s (#constant 77))

-- ==
-- entry: widths
-- input { 1i64 [1, 2, 4, 8] }
-- output { [4, 7, 14, 20] }
-- input { 2i64 [1, 2, 4, 8] }
-- output { [10, 16, 23, 26] }
-- input { 0i64 [1, 2, 4, 8] }
-- output { [1, 2, 4, 8] }
entry widths [n] (r: i64) (xs: [n]i32) =
  map i32.sum (slide_1d (2 * r + 1) 1 (pad_1d r r #mirror xs))

-- ==
-- entry: planes
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [[4, 6, 10], [10, 12, 16]] }
entry planes [n] [m] (xs: [n][m]i32) =
  map (map (\w -> i32.sum (flatten w))) (slide_2d 2 1 2 1 (pad_2d 1 0 1 0 (#clamp, #mirror) xs))

-- ==
-- entry: steps
-- input { [1, 2, 3, 4, 5, 6, 7] }
-- output { [[1, 2, 3], [3, 4, 5], [5, 6, 7]] }
entry steps [n] (xs: [n]i32) = slide_1d 3 2 xs
