-- Elements of a row that read another element of the same row: the kernels of rows by lanes did not
-- bind the row.
-- ==
-- entry: sums prefixes greatest
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] }
entry sums [n] [m] (xs: [n][m]f64) = map (\r -> f64.sum (map (* r[0]) r)) xs

entry prefixes [n] [m] (xs: [n][m]f64) = map (\r -> scan (+) 0 (map (* r[1]) r)) xs

entry greatest [n] [m] (xs: [n][m]f64) = map (\r -> f64.maximum (map (\x -> x * x - r[2] * x) r)) xs

-- ==
-- entry: many
-- input { 300i64 70i64 } output { 0i64 }
entry many (n: i64) (m: i64) =
  let xs = tabulate_2d n m (\i j -> (i * 7 + j * 5) % 11)
  let sums = map (\r -> i64.sum (map (* r[0]) r)) xs
  let prefixes = map (\r -> last (scan (+) 0 (map (* r[0]) r))) xs
  in i64.sum (map2 (\a b -> i64.abs (a - b)) sums prefixes)
