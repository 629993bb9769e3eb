-- Sums of few columns that are adjacent: up to 65 columns, few rows and many.
entry data (n: i64) (m: i64) : [n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 ((i * 7919 + j * 104729) % 1013))

entry planes (n: i64) (a: i64) : [n][a][3]i32 = unflatten_3d (flatten (data n (a * 3))) :> [n][a][3]i32

-- ==
-- entry: sums
-- script input { data 0i64 3i64 } auto output
-- script input { data 1i64 2i64 } auto output
-- script input { data 5i64 7i64 } auto output
-- script input { data 85i64 3i64 } auto output
-- script input { data 2049i64 3i64 } auto output
-- script input { data 1000i64 2i64 } auto output
-- script input { data 1000i64 15i64 } auto output
-- script input { data 517i64 64i64 } auto output
-- script input { data 517i64 65i64 } auto output
-- script input { data 517i64 1i64 } auto output
-- script input { data 517i64 0i64 } auto output
entry sums [n] [m] (xs: [n][m]i32) : ([m]i32, [m]i32) =
  ( reduce (map2 (+)) (replicate m 0) (map (map (+ 1)) xs)
  , map (\c -> i32.maximum c / 2) (transpose xs)
  )

-- ==
-- entry: pairs
-- script input { data 2049i64 3i64 } auto output
-- script input { data 300i64 6i64 } auto output
-- script input { data 90000i64 3i64 } auto output
entry pairs [n] [m] (xs: [n][m]i32) : [m](i32, i64) =
  let larger (a: i32, i: i64) (b, j) = (i32.max a b, i + j)
  in map (\c -> reduce_comm larger (i32.lowest, 0) (zip c (iota n))) (transpose xs)

-- An operator whose order matters keeps it.
-- ==
-- entry: first
-- script input { data 700i64 3i64 } auto output
-- script input { data 90000i64 3i64 } auto output
entry first [n] [m] (xs: [n][m]i32) : [m]i32 =
  let other (x: i32) (y: i32) = if x == 0 then y else x
  in map (reduce other 0) (transpose xs)

-- ==
-- entry: all_planes
-- script input { planes 700i64 5i64 } auto output
-- script input { planes 3i64 1i64 } auto output
entry all_planes [n] [a] (xs: [n][a][3]i32) : [a][3]i32 =
  reduce (map2 (map2 (+))) (replicate a (replicate 3 0)) xs
