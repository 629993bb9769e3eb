-- examples/jacobi2d.fut, against bench/cpp/jacobi2d.cpp.
-- ==
-- "1024x100" random input { 100i32 [1024][1024]f32 }
-- "16384x1" random input { 1i32 [16384][16384]f32 }
entry main [n][m] (steps: i32) (xs: [n][m]f32): [n][m]f32 =
  loop xs for _i < steps do
    stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
      (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
      (rep (rep ())) xs
