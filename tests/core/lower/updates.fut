-- Updates work on a copy; a pass removes needless ones. Arrays of tuples are tuples of
-- arrays.
def main [n] (xs: *[n](i32, f32)) (ys: *[n][n]i32) (i: i64) =
  (copy xs with [i] = (1, 2f32), copy ys with [i] = map (.0) xs, ys with [1:3, 0] = [5, 6])
