-- Padding and windows that do not fit.
-- ==
-- input { 0i32 [1i32, 2i32] } output { 6i32 }
-- ==
-- input { 1i32 [1i32, 2i32] }
-- error: H7015
-- ==
-- input { 2i32 [1i32, 2i32] }
-- error: H7015
-- ==
-- input { 3i32 [1i32, 2i32] }
-- error: H7015
-- ==
-- input { 4i32 [1i32, 2i32] }
-- error: H7015
-- ==
-- input { 5i32 empty([0]i32) }
-- error: H7015
-- ==
-- input { 6i32 empty([0]i32) } output { 14i32 }
-- ==
-- input { 7i32 [1i32, 2i32] }
-- error: an axis of size `2` by `9223372036854775805` before and `2` after.*H7015
entry main [n] (k: i32) (xs: [n]i32) : i32 =
  match k
  case 0 -> i32.sum (pad_1d 1 1 #clamp xs)
  case 1 -> i32.sum (pad_1d (-1) 1 #clamp xs)
  case 2 -> i32.sum (flatten (slide_1d 3 1 xs))
  case 3 -> i32.sum (flatten (slide_1d 1 0 xs))
  case 4 -> i32.sum (flatten (slide_1d 1 2 xs))
  case 5 -> i32.sum (pad_1d 1 1 #mirror xs)
  case 6 -> i32.sum (pad_1d 1 1 (#constant 7) xs)
  case _ -> i32.sum (pad_1d (i64.highest - 2) n #clamp xs)
