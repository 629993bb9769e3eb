-- Memory of the loop is allocated in front of it, but no division leaves its check for that.
-- ==
-- input { 1i64 1i64 } output { [1i64, 1i64, 1i64] }
-- input { 0i64 1i64 } error: division by zero
def main (n: i64) (k: i64) : [3]i64 =
  map (\i ->
         let hi = k + 7 % (n - k + 1)
         let xs = replicate n i with [k:hi] = (replicate n i)[k:hi]
         in 1 + reduce (+) 0 (map (* 0) xs))
      (iota 3)
