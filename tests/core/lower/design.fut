-- The program of docs/design.md#one-program, as lowering leaves it.
def main [n] (k: f32) (xs: [n]f32) : f32 =
  let ys = stencil_1d [-1, 0, 1] (\() v -> k * (v[0] + v[1] + v[2])) (rep ()) xs
  in f32.sum (map (\y -> y * y) ys)
