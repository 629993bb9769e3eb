-- A loop of stencils with an array from outside: one kernel does several steps at once.
-- ==
-- input { 2i64 [[1f32, 3f32], [2f32, 2f32]] }
-- output { [[2f32, 2f32], [3f32, 3f32]] }
def main [n] [m] (steps: i64) (start: [n][m]f32) : [n][m]f32 =
  let heat = tabulate_2d n m (\i _ -> 0.5f32 * f32.i64 i)
  in loop xs = start
     for _i < steps do
       stencil_2d [(0, -1), (0, 1)] (\h v -> h + 0.5f32 * (v[0] + v[1])) heat xs
