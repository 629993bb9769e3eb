-- Copies of transposed arrays, of all ranks and edges.
-- ==
-- entry: two
-- input { 1i64 1i64 }
-- input { 33i64 70i64 }
-- input { 64i64 32i64 }
-- input { 0i64 5i64 }
-- input { 257i64 3i64 }
entry two (n: i64) (m: i64): [m][n]i32 =
  copy (transpose (tabulate_2d n m (\i j -> i32.i64 (i * 1000 + j))))
-- ==
-- entry: three
-- input { 3i64 40i64 35i64 }
-- input { 34i64 2i64 1i64 }
entry three (n: i64) (m: i64) (k: i64): ([n][k][m]i16, [k][m][n]f64, [m][n][k]bool) =
  let xs = tabulate_3d n m k (\i j l -> i * 10000 + j * 100 + l)
  in (copy (map transpose (map (map (map i16.i64)) xs)),
      copy (map transpose (transpose (map transpose (map (map (map f64.i64)) xs)))) |> map (map (map (+ 0))),
      copy (transpose (map (map (map (\x -> x % 3 == 0))) xs)))

-- Every order of three axes, of whole vectors and not.
-- ==
-- entry: permuted
-- input { 3i64 40i64 68i64 }
-- input { 72i64 4i64 132i64 }
-- input { 5i64 130i64 260i64 }
-- input { 33i64 7i64 65i64 }
entry permuted (a: i64) (b: i64) (c: i64): ([c][a][b]i32, [b][c][a]i32, [c][b][a]i32, [b][a][c]i32, [a][c][b]i32) =
  let xs = tabulate_3d a b c (\i j k -> i32.i64 ((i * b + j) * c + k))
  in (copy (transpose (map transpose xs)), copy (map transpose (transpose xs)),
      copy (transpose (map transpose (transpose xs))), copy (transpose xs),
      copy (map transpose xs))
