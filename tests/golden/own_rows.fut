-- Cells that make their own data (owned.fut) are not kept whole if their results are rows, which neighbouring
-- invocations would write far apart.
def main (n: i64) (m: i64) : [n][m]f32 =
  tabulate n (\i ->
                let row = tabulate m (\j -> f32.i64 (i * j % 101))
                let total = f32.sum row
                in map (\x -> x / total) row)
