-- What all cells compute alike and is an extent, or says which branch they take: the host computes
-- it, and each arm is taken apart as suits it.
-- ==
-- input { [[1i64, 2i64, 3i64, 4i64], [5i64, 6i64, 7i64, 8i64]] 2i64 }
-- output { [3i64, 11i64] }
-- input { [[1i64, 2i64, 3i64, 4i64], [5i64, 6i64, 7i64, 8i64]] 9i64 }
-- output { [2i64, 6i64] }
def main [n] [m] (xss: [n][m]i64) (k: i64) : [n]i64 =
  map (\xs ->
         if k < m
         then let size = m / k
              let sums = map (\i -> i64.sum (map (\j -> xs[(i * size + j) % m]) (iota size))) (iota k)
              in (scan (+) 0 sums)[0]
         else xs[1])
      xss
