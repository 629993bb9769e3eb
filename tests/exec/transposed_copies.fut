-- Copies of transposed arrays, of all ranks and edges.
-- ==
-- entry: two
-- input { 1i64 1i64 }
-- input { 33i64 70i64 }
-- input { 64i64 32i64 }
-- input { 0i64 5i64 }
-- input { 257i64 3i64 }
-- input { 401i64 403i64 }
-- input { 512i64 300i64 }
entry two (n: i64) (m: i64) : [m][n]i32 =
  copy (transpose (tabulate_2d n m (\i j -> i32.i64 (i * 1000 + j))))

-- ==
-- entry: three
-- input { 3i64 40i64 35i64 }
-- input { 34i64 2i64 1i64 }
entry three (n: i64) (m: i64) (k: i64) : ([n][k][m]i16, [k][m][n]f64, [m][n][k]bool) =
  let xs = tabulate_3d n m k (\i j l -> i * 10000 + j * 100 + l)
  in ( copy (map transpose (map (map (map i16.i64)) xs))
     , copy (map transpose (transpose (map transpose (map (map (map f64.i64)) xs)))) |> map (map (map (+ 0)))
     , copy (transpose (map (map (map (\x -> x % 3 == 0))) xs))
     )

-- Every order of three axes, of whole vectors and not.
-- ==
-- entry: permuted
-- input { 3i64 40i64 68i64 }
-- input { 72i64 4i64 132i64 }
-- input { 5i64 130i64 260i64 }
-- input { 33i64 7i64 65i64 }
entry permuted (a: i64) (b: i64) (c: i64) : ([c][a][b]i32, [b][c][a]i32, [c][b][a]i32, [b][a][c]i32, [a][c][b]i32) =
  let xs = tabulate_3d a b c (\i j k -> i32.i64 ((i * b + j) * c + k))
  in ( copy (transpose (map transpose xs))
     , copy (map transpose (transpose xs))
     , copy (transpose (map transpose (transpose xs)))
     , copy (transpose xs)
     , copy (map transpose xs)
     )

-- Small elements, of whole vectors and not, with rows behind an offset.
-- ==
-- entry: small
-- input { 3i64 16i64 32i64 }
-- input { 1i64 144i64 272i64 }
-- input { 2i64 130i64 48i64 }
-- input { 5i64 17i64 33i64 }
-- input { 2i64 128i64 8i64 }
entry small (a: i64) (b: i64) (c: i64) : ([a][c][b]u8, [a][c][b]i8, [c][b][a]i16, [b][c][a]f16, [a][c][b]bool, [c][b]i8) =
  let of 't (f: i64 -> t) = tabulate_3d a b c (\i j k -> f ((i * b + j) * c + k * 7))
  in ( copy (map transpose (of u8.i64))
     , copy (map transpose (of i8.i64))
     , copy (transpose (map transpose (transpose (of i16.i64))))
     , copy (map transpose (transpose (of (\x -> f16.i64 (x % 500)))))
     , copy (map transpose (of (\x -> x % 3 == 0)))
     , copy (transpose ((of i8.i64)[a - 1]))
     )

-- Short last dimensions, with others between them and the one that is dense, in each of some blocks.
-- ==
-- entry: short
-- input { 3i64 40i64 4i64 68i64 }
-- input { 1i64 33i64 7i64 31i64 }
-- input { 2i64 0i64 3i64 64i64 }
-- input { 2i64 16i64 16i64 16i64 }
-- input { 8i64 64i64 8i64 72i64 }
entry short (a: i64) (b: i64) (c: i64) (d: i64) : ([a][d][b][c]i32, [a][d][b][c]u8, [d][a][b][c]f64, [d][c][a][b]i16) =
  let of 't (f: i64 -> t) = tabulate a (\h -> tabulate_3d b c d (\i j k -> f (((h * b + i) * c + j) * d + k)))
  let under 't [n] [m] (xs: [b][n][m]t): [m][b][n]t = transpose (map transpose xs)
  let x = of i32.i64
  let y = of u8.i64
  let z = of f64.i64
  let w = of i16.i64
  in ( copy (map under x)
     , copy (map under y)
     , copy (transpose (map under z))
     , copy (map (map transpose) (map transpose (transpose (map under w)))
             |> map transpose
             |> map (map transpose))
     )
