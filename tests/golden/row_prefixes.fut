-- Blocks of a row, of which the row takes as many elements as it has: where that is all of them, as
-- the host finds out, nothing is copied.

entry main [n] [m] (xss: [n][m]i32) (b: i64) : [n][m]i32 =
  map (\xs ->
         let sums =
           tabulate ((m + b - 1) / b) (\i ->
                                         tabulate b (\j -> loop s = 0 for k < j do s + xs[(i * b + k) % m]))
         in take m (flatten sums))
      xss
