-- Rows of rows that a nest flattens: reshaped for all cells at once, where one invocation for each
-- would copy them; checks that all cells make alike leave no kernel behind.
-- ==
-- input { [3i64, 65i64] 2i64 }
-- output { [10i64, 0i64] }
def main [n] (xs: [n]i64) (m: i64) : [n]i64 =
  map (\x ->
         let rows = tabulate m (\i -> map (\j -> x * i + j) (iota 64))
         let sums = scan (+) 0 (flatten rows)
         in sums[(x % 64) * m - m])
      xs
