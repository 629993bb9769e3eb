-- Steps of long code with an update loop among them: few cells have a workgroup each, many an invocation each.
def main [n] (steps: i32) (xss: [n][91]f32) : [n][91]f32 =
  map (\xs ->
         loop xs for _i < steps do
           let ys = loop ys = map (* 0.5f32) xs for j < 90 do ys with [j + 1] = ys[j] + ys[j + 1]
           let most = f32.maximum ys
           in map (/ (1 + f32.abs most)) ys)
      xss
