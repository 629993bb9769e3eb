-- examples/matmul.fut, against bench/cpp/matmul.cpp.
-- ==
-- "1024" random input { [1024][1024]f32 [1024][1024]f32 }
entry main [n][k][m] (a: [n][k]f32) (b: [k][m]f32): [n][m]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a
