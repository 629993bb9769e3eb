-- Half precision: every operation rounds once.
-- tolerance: exact
-- ==
-- input { [1.5f16, 2.25f16, -0.5f16] } output { [2.25f16, 5.0625f16, 0.25f16] 3.25f16 [1i32, 2i32, 0i32] }
entry main [n] (xs: [n]f16) = (map2 (*) xs xs, f16.sum xs, map i32.f16 xs)
