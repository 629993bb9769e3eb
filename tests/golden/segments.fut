-- Map nests, scans, scatters and loops as kernels.
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32]] [1i64, 0i64] }
-- output { [[2i32, 4i32], [6i32, 8i32]] [3i32, 10i32] [7i32, 3i32] }
def main [n] [m] (xs: [n][m]i32) (is: [n]i64) : ([n][m]i32, [n]i32, [n]i32) =
  let doubled = map (map (* 2)) xs
  let sums = map i32.sum xs
  let running = scan (+) 0 sums
  in (doubled, running, scatter (replicate n 0) is sums)
