-- Reads along columns, one of them behind a condition, go by tiles through shared memory; rows stay as they are.
def main [n] [m] (xs: [n][m]f32) (ys: [m][n]f32) : [n][m]f32 =
  map2 (map2 (+)) xs (map (\row -> tabulate m (\j -> row[j] - (if 0 < j then #[unsafe] row[j - 1] else 0))) (transpose ys))
