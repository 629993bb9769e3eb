-- The loop's results have no use, but its checks stay: a loop that carries nothing.
-- ==
-- input { 3i64 2i64 } output { 1i64 }
-- input { 3i64 5i64 } error: out of range.*H7001
def main (n: i64) (k: i64) =
  let unused =
    map (\w -> w + (loop acc = replicate 3 1u16 for i < k do acc with [i] = 2)[0])
        (map u16.i64 (iota n))
  in 1i64
