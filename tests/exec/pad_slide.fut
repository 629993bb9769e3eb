-- Padding and windows.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32, 3i32] }
-- output { [1i32, 1i32, 1i32, 2i32, 3i32, 3i32] [2i32, 1i32, 1i32, 2i32, 3i32, 3i32] [2i32, 3i32, 1i32, 2i32, 3i32, 1i32] [9i32, 9i32, 1i32, 2i32, 3i32, 9i32] [4i32, 6i32, 8i32] [[1i32, 2i32], [2i32, 3i32]] }
entry main [n] (xs: [n]i32) =
  ( pad_1d 2 1 #clamp xs
  , pad_1d 2 1 #mirror xs
  , pad_1d 2 1 #wrap xs
  , pad_1d 2 1 (#constant 9) xs
  , map i32.sum (slide_1d 3 1 (pad_1d 1 1 #clamp xs))
  , slide_1d 2 1 xs
  )
