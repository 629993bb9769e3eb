-- A carried array with a type and no star is only lent.
-- ==
-- error: `ys` is a parameter without `\*`
def main [m] (xs: *[m]i32) (n: i64) : []i32 =
  loop (ys: [m]i32) = xs for i < n do ys with [i] = 0
