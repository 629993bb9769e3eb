-- The schedules of sorts, scans and copies, with their guards, for the default limits: a sort, a
-- scan, scans of rows and of columns, a filter, a copy along another axis.

def main [n] [m] (keys: [n]u32) (xs: [n][m]f32) =
  let sorted = u32.sort keys
  let sums = scan (+) 0 keys
  let rows = map (scan (+) 0) xs
  let columns = transpose (map (scan (+) 0) (transpose xs))
  let large = filter (> 7) keys
  in (sorted, sums, rows, columns, large, copy (transpose xs))
