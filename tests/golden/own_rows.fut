-- Rows of a sparse matrix: lanes of a subgroup share a cell, the more the longer rows are.

def main [n] [m] (starts: []i64) (values: [m]f32) (columns: [m]i64) (xs: [n]f32) : [n]f32 =
  map (\i ->
         let (a, b) = (starts[i], starts[i + 1])
         in f32.sum (map2 (\v c -> v * xs[c]) values[a:b] columns[a:b]))
      (iota n)
