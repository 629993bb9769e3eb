-- An array updated with a copy of a part of itself.
-- ==
-- entry: shift
-- input { [1i64,2i64,3i64,4i64,5i64] }
-- ==
-- entry: rowcopy
-- input { [[1i64,2i64],[3i64,4i64]] }
-- ==
-- entry: trans
-- input { [[1i64,2i64],[3i64,4i64]] }
-- ==
-- entry: scat
-- input { [1i64,2i64,3i64,4i64,5i64] }
entry shift [n] (a: [n]i64) : [n]i64 =
  let xs = copy a
  let m = n - 1
  in xs with [1:n] = copy (xs[0:m] :> [n - 1]i64)

entry rowcopy [n] [m] (a: [n][m]i64) : [n][m]i64 =
  let xs = copy a
  in xs with [0] = copy xs[1]

entry trans [n] (a: [n][n]i64) : [n][n]i64 =
  let xs = copy a
  let t = transpose xs
  in map2 (map2 (+)) t xs

entry scat [n] (a: [n]i64) : [n]i64 =
  loop xs = copy a
  for i < 3 do
    scatter xs (map (\x -> x % n) xs) (map (+ 1) xs)
