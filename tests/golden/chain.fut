-- Two stencils one after another: one kernel on the GPU, as one step of a loop.
-- ==
-- input { [[1f32, 2f32], [3f32, 4f32]] }
def main [n][m] (xs: [n][m]f32): [n][m]f32 =
  let s (xs: [n][m]f32) =
    stencil_2d [(-1, 0), (0, -1), (0, 1), (1, 0)]
      (\() v -> 0.25f32 * (v[0] + v[1] + v[2] * v[3])) (rep (rep ())) xs
  in s (s xs)
