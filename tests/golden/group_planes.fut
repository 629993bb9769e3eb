-- A loop of parallel steps over a matrix of each cell, of a size that only the call knows: a
-- workgroup for each cell where the matrices fit. The branch that gives rows is one of elements, so
-- that lanes share the whole matrix.
def main [b] [n] (as: [b][n][n]f32) : [b][n][n]f32 =
  map (\a ->
         loop a for i < n do
           let p = map (/ a[i, i]) a[i]
           in map2 (\k row -> if k == i then p else map2 (\x y -> x - row[i] * y) row p) (iota n) a)
      as
