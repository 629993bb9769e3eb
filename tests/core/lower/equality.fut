-- `==` on arrays is a reduction, and on records it goes field by field.
def main [n] [m] (a: [n][m]i32) (p: (f32, [n]i32)) (q: (f32, [n]i32)) : (bool, bool) =
  (a == a, p != q)
