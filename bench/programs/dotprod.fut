-- examples/dotprod.fut, against bench/cpp/dotprod.cpp.
-- ==
-- "2^16" random input { [65536]f32 [65536]f32 }
-- "2^26" random input { [67108864]f32 [67108864]f32 }
entry main [n] (xs: [n]f32) (ys: [n]f32): f32 = f32.sum (map2 (*) xs ys)
