-- Cells that make their own data stay whole where they return rows that are short beside it
-- (own_rows.fut: rows that are all of it).
def main (n: i64) (m: i64) (k: i64) : [n][k]f32 =
  tabulate n (\i ->
                let row = tabulate m (\j -> f32.i64 (i * j % 101))
                let total = f32.sum row
                in tabulate k (\j -> row[j] / total))
