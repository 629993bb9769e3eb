-- A scatter of pairs has one destination per leaf.
def main [n] [m] (dest: *[n](i32, f32)) (is: [m]i64) (vs: [m](i32, f32)) : *[n](i32, f32) =
  scatter dest is vs
