-- ==
-- entry: rows
-- input { 3i64 5i64 } output { [10i32, 35i32, 60i32] }
-- input { 0i64 5i64 } output { empty([0]i32) }
-- input { 3i64 0i64 } output { [0i32,0i32,0i32] }
entry rows (n: i64) (m: i64) : [n]i32 = map (\i -> i32.sum (map (\j -> i32.i64 (i * m + j)) (iota m))) (iota n)

-- ==
-- entry: big
-- input { 5i64 100000i64 }
-- input { 700i64 300i64 }
-- input { 3000i64 7i64 }
entry big (n: i64) (m: i64) : ([n]i64, [n]i64) =
  let xs = unflatten (iota (n * m)) :> [n][m]i64
  in unzip (map (\r -> (i64.sum r, i64.maximum r)) xs)

-- ==
-- entry: cols
-- input { 500i64 100i64 }
-- input { 3i64 100000i64 }
-- input { 100000i64 3i64 }
entry cols (n: i64) (m: i64) : [m]i64 =
  let xs = unflatten (iota (n * m)) :> [n][m]i64
  in map i64.sum (transpose xs)

-- ==
-- entry: affine
-- input { 50i64 1000i64 }
-- input { 2i64 100000i64 }
-- input { 100000i64 2i64 }
entry affine (n: i64) (m: i64) : ([n]i64, [n]i64) =
  let f (a, b) (c, d) = (a * c, b * c + d) : (i64, i64)
  in unzip (map (\i -> reduce f (1, 0) (map (\j -> ((i + j) % 5, j % 7)) (iota m))) (iota n))

-- ==
-- entry: deep
-- input { 5i64 7i64 600i64 }
entry deep (n: i64) (m: i64) (k: i64) : ([n][m]i64, [n][m][k]i64) =
  let xs = unflatten (unflatten (iota ((n * m) * k))) :> [n][m][k]i64
  in (map (map i64.sum) xs, map (map (map (+ 1))) xs)
