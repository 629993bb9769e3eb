-- A negative 64-bit divisor of a dividend below 2^53 was taken for a large one where devices divide in f64.
-- ==
-- input { [1i64, 7i64, 4294967297i64, 9007199254740991i64, 0i64] [-1i64, -2i64, -4294967296i64, -3i64, -5i64] }
-- output { [-1i64, -4i64, -2i64, -3002399751580331i64, 0i64] [0i64, -1i64, -4294967295i64, -2i64, 0i64] [-1i64, -3i64, -1i64, -3002399751580330i64, 0i64] [0i64, 1i64, 1i64, 1i64, 0i64] }
entry main [n] (xs: [n]i64) (ys: [n]i64) =
  (map2 (/) xs ys, map2 (%) xs ys, map2 (//) xs ys, map2 (%%) xs ys)
