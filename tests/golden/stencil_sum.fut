-- The program of docs/design.md#one-program at every stage: a stencil, a map and a sum become one node, one loop
-- with borders on the CPU, and one kernel (and one for the sums of its tiles) on the GPU.
-- ==
-- input { 2f32 [1f32, 2f32, 3f32, 4f32] } output { 1016f32 }
def main [n] (k: f32) (xs: [n]f32) : f32 =
  let ys = stencil_1d [-1, 0, 1] (\() v -> k * (v[0] + v[1] + v[2])) (rep ()) xs
  in f32.sum (map (\y -> y * y) ys)
