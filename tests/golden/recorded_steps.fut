-- Steps of a recorded loop are one kernel each, which reads a row of the tape and stores the next one.
def main [n] (steps: i64) (xs: [n]f32) (ws: [n]f32) : [n]f32 =
  let step xs = stencil_1d [-1, 0, 1] (\() v -> v[1] - 0.1 * v[1] * (v[2] - v[0])) (rep ()) xs
  in vjp (\xs -> loop a = xs for _i < steps do step a) xs ws
