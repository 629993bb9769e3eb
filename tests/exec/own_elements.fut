-- Maps, sums, scatters and histograms that read arrays at their own places, by indices; and neighbours of such reads.
def table (n: i64) (m: i64) : [n][m]i32 = tabulate_2d n m (\i j -> i32.i64 ((i * 31 + j * 7) % 13) - 5)

-- ==
-- entry: products
-- input { 0i64 3i64 2i64 }
-- input { 3i64 0i64 2i64 }
-- input { 5i64 7i64 4i64 }
-- input { 70i64 40i64 65i64 }
entry products (n: i64) (p: i64) (m: i64) : [n][m]i32 =
  let a = table n p
  let b = table p m
  in tabulate_2d n m (\i j -> i32.sum (map (\k -> a[i, k] * b[k, j]) (iota p)))

-- ==
-- entry: columns
-- input { 0i64 3i64 }
-- input { 4i64 0i64 }
-- input { 5i64 3i64 }
-- input { 200i64 70i64 }
entry columns (n: i64) (m: i64) : ([m]i32, [m]i32) =
  let xs = table n m
  let ws = map i32.i64 (iota n)
  in ( map (\j -> i32.sum (map (\i -> xs[i, j] * ws[i]) (iota n))) (iota m)
     , map (\j -> i32.maximum (map (\i -> xs[i, j] + xs[i, (j + 1) % m]) (iota n))) (iota m)
     )

-- Producers by elements and rows.
-- ==
-- entry: made
-- input { 0i64 }
-- input { 1i64 }
-- input { 37i64 }
entry made (n: i64) : ([n]i32, [n][n]i32, [n]i64, i32) =
  let xs = map (\i -> i32.i64 i * 3) (iota n)
  let yss = map (map (* 2)) (table n n)
  let places = map (\i -> (i * 7) % (n + 1)) (iota n)
  in ( map (\i -> xs[i] + 1) (iota n)
     , tabulate_2d n n (\i j -> yss[i, j] - yss[j, i] + i32.i64 j)
     , scatter (replicate n 0) (map (\i -> places[i]) (iota n)) (map (\i -> i * places[i]) (iota n))
     , loop s = 0 for k < n do s + i32.sum (map (\i -> yss[k, i] * yss[i, k]) (iota n))
     )

-- The array changes in a loop; diagonals and branches stay.
-- ==
-- entry: changing
-- input { 1i64 3i32 }
-- input { 20i64 4i32 }
entry changing (n: i64) (steps: i32) : [n][n]i32 =
  loop xss = table n n
  for s < steps do
    let d = map (\i -> xss[i, i]) (iota n)
    let xss = tabulate_2d n n (\i j -> if i == j then d[i] else xss[i, j] + d[j] % 5)
    in xss with [0, n - 1] = s

-- Planes of cubes, along each axis.
-- ==
-- entry: cubes
-- input { 3i64 4i64 5i64 }
-- input { 9i64 1i64 33i64 }
entry cubes (a: i64) (b: i64) (c: i64) : ([a][b]i32, [a][c]i32, [c][b]i32) =
  let t = tabulate_3d a b c (\i j k -> i32.i64 ((i * 5 + j * 3 + k) % 11))
  in ( tabulate_2d a b (\i j -> i32.sum (map (\k -> t[i, j, k]) (iota c)))
     , tabulate_2d a c (\i k -> i32.sum (map (\j -> t[i, j, k]) (iota b)))
     , tabulate_2d c b (\k j -> i32.sum (map (\i -> t[i, j, k]) (iota a)))
     )

-- ==
-- entry: too_far
-- input { 4i64 5i64 }
-- error: out of range
entry too_far (n: i64) (m: i64) : [m]i32 =
  let xs = map i32.i64 (iota n)
  in map (\i -> xs[i]) (iota m)
