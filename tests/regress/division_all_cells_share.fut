-- An extent that all cells compute alike is the host's to compute, also where a check in the cell
-- fails before it is needed: the host divided by 0.
-- ==
-- input { [1i64, 2i64] 2i64 } output { [1i64, 2i64] }
-- input { [1i64, 2i64] 0i64 } error: division by zero
-- input { empty([0]i64) 0i64 } output { empty([0]i64) }
def main [n] (xs: [n]i64) (k: i64) : [n]i64 =
  map (\x ->
         let size = 6 / k
         in (scan (+) x (map (\i -> i64.sum (iota i)) (iota size)))[0] + i64.sum (map (* 0) (iota size)))
      xs
