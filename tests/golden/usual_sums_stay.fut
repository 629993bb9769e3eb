-- Sums that few cells of a table take stay in their branch: a rectangle, a narrow band.
def dots [n] [p] [m] (taken: i64 -> i64 -> bool) (xss: [n][m]f32) (yss: [p][m]f32) =
  tabulate_2d n p (\i j -> if taken i j then f32.sum (map2 (*) xss[i] yss[j]) else 0)

def main [n] [p] [m] (xss: [n][m]f32) (yss: [p][m]f32) =
  (dots (\i j -> j <= i) xss yss, dots (\i j -> j < i - 1900) xss xss)
