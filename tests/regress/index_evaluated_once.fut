-- An index outside is not evaluated again to say so: it may have used up what it reads.
-- ==
-- input { [1i64, 2i64, 3i64] 6i64 } error: `\[6\]` is out of range.*H7001
-- input { [1i64, 2i64, 3i64] 1i64 } output { [-2i64, -2i64, -2i64] }
def main [n] (xs: [n]i64) (k: i64) =
  map (\(row: [3]i64) ->
         !(let found = iota n
           in found[let unused = reduce_by_index (copy xs) (^) 0 row row in k]))
      (replicate n (iota 3))
