-- A map that alone reads a scan's elements, in one kernel with it (look-back), beside a scan that
-- is a result, too.
def main [n] (xs: [n]i32) (ys: [n]i64) =
  let sums = scan (+) 0 ys
  in (map3 (\s x i -> s - x + i32.i64 i) (scan (+) 0 xs) xs (iota n), map (* 2) sums, sums)
