-- The same on two axes; windows with steps.
-- tolerance: exact
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32]] }
-- output { [[1i32, 1i32, 2i32, 0i32], [3i32, 3i32, 4i32, 0i32], [1i32, 1i32, 2i32, 0i32]] [[[[1i32, 1i32], [3i32, 3i32]], [[2i32, 0i32], [4i32, 0i32]]], [[[3i32, 3i32], [1i32, 1i32]], [[4i32, 0i32], [2i32, 0i32]]]] [[[[1i32, 2i32], [3i32, 4i32]]]] }
entry main [n] [m] (xs: [n][m]i32) =
  let padded = pad_2d 0 1 1 1 (#wrap, #clamp) xs
  let padded = map (\r -> map2 (\i x -> if i == 3 then 0 else x) (indices r) r) padded
  in (padded, slide_2d 2 1 2 2 padded, slide_2d 2 1 2 1 xs)
