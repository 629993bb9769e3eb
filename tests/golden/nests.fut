-- A nest whose cells reduce, scan and map: one kernel for each.
-- ==
-- input { [[1f32, 3f32], [2f32, 2f32]] }
-- output { [[0.25f32, 1f32], [0.5f32, 1f32]] }
def main [n] [m] (xss: [n][m]f32) : [n][m]f32 =
  map (\xs ->
         let s = f32.sum xs
         in map (/ s) (scan (+) 0 xs))
      xss
