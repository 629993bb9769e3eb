-- A cell checks a row and needs none of its elements: its map has no results.
-- ==
-- input { [5i64, 3i64, 7i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64] }
-- output { [15i64, 6i64, 28i64] }
-- input { [5i64, 3i64, 7i64] [1i64, 0i64, 3i64, 4i64, 5i64, 6i64, 7i64] }
-- error: division by zero

def main [n] [m] (sizes: [n]i64) (xs: [m]i64) : [n]i64 =
  map (\size ->
         let half = size / 2
         let _ = map (\i -> 7 / xs[i]) (iota half)
         in i64.sum xs[:size])
      sizes
