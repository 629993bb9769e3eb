-- An element with a loop is work for an invocation: a lane of each segment takes one, not sixteen.
-- ==
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] }
-- output { [5i64, 9i64] }
def main [n] [m] (xss: [n][m]i64) : [n]i64 =
  let halvings x = (loop (x, k) = (x, 0) while x > 0 do (x / 2, k + 1)).1
  in map (\xs -> i64.sum (map halvings xs)) xss
