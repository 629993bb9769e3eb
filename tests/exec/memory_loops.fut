-- Arrays that loops, branches and views share: engines must agree on the overwritten ones.
-- ==
-- entry: swap
-- input { 5i64 [1i64,2i64,3i64] [4i64,5i64,6i64] }
-- input { 0i64 [1i64,2i64,3i64] [4i64,5i64,6i64] }
-- ==
-- entry: branchy
-- input { 7i64 [1i64,2i64,3i64] }
-- ==
-- entry: inplace
-- input { 6i64 [1i64,2i64,3i64] }
-- ==
-- entry: nested
-- input { 4i64 [[1i64,2i64],[3i64,4i64],[5i64,6i64]] }
-- ==
-- entry: both
-- input { 4i64 [1i64,2i64,3i64] }
-- ==
-- entry: rows
-- input { [[1i64,2i64,9i64],[3i64,4i64,8i64],[5i64,6i64,7i64]] }
-- ==
-- entry: whiles
-- input { 100i64 [1i64,2i64,3i64] }
-- ==
-- entry: trans
-- input { [[1i64,2i64,9i64],[3i64,4i64,8i64]] }
-- ==
-- entry: carry3
-- input { 5i64 [1i64,2i64,3i64] }
-- ==
-- entry: upd
-- input { [[1i64,2i64,9i64],[3i64,4i64,8i64]] 1i64 }
-- ==
-- entry: fact
-- input { 10i64 }
-- ==
-- entry: same
-- input { 3i64 [1i64,2i64,3i64] }
entry swap [n] (k: i64) (a: [n]i64) (b: [n]i64) =
  loop (x, y) = (a, b) for i < k do (y, map (+ i) x)

entry branchy [n] (k: i64) (a: [n]i64) : [n]i64 =
  loop x = a
  for i < k do
    if i % 3 == 0 then map (* 2) x else if i % 3 == 1 then x else (let y = map (+ 1) x in if y[0] > 10 then y else x)

entry inplace [n] (k: i64) (a: [n]i64) : ([n]i64, i64) =
  loop (x, s) = (copy a, 0)
  for i < k do
    let x = x with [i % n] = x[(i + 1) % n] + s
    let x = if x[0] > 3 then x with [1] = 100 else copy x
    in (x, s + x[0])

entry nested [n] [m] (k: i64) (a: [n][m]i64) : [n][m]i64 =
  map (\r -> loop r = r for i < k do (let t = map (+ i) r in if i % 2 == 0 then t else map2 (*) t r)) a

entry both [n] (k: i64) (a: [n]i64) =
  loop (x, y) = (a, a) for i < k do (let z = map2 (+) x y in (z, map (\v -> v - i) z))

entry rows [n] [m] (a: [n][m]i64) : ([n]i64, [m]i64, [n][m]i64) =
  let b = map (\r -> let q = scan (+) 0 r in loop q = q for i < m do q with [i] = q[i] * 2) a
  in (map i64.sum b, map i64.sum (transpose b), b)

entry whiles [n] (lim: i64) (a: [n]i64) : ([n]i64, i64) =
  loop (x, k) = (a, 0)
  while i64.sum x < lim do
    let t = map (* 2) x
    let u = map (+ 1) t
    in (if k % 2 == 0 then t else u, k + 1)

entry trans [n] [m] (a: [n][m]i64) : ([m][n]i64, [m][n]i64, [n][m]i64) =
  let t = transpose a
  let u = map (map (+ 1)) t
  in (t, u, transpose (map (map (* 2)) u))

entry carry3 [n] (k: i64) (a: [n]i64) =
  loop (x, y, z) = (a, map (+ 1) a, map (+ 2) a) for i < k do (y, z, map3 (\p q r -> p + q * r - i) x y z)

entry upd [n] [m] (a: [n][m]i64) (i: i64) : ([n][m]i64, [m]i64) =
  let r = map (* 3) a[i]
  let b = copy a with [0] = r
  in (b with [i, 0:2] = [7, 8], r)

entry fact (k: i64) : [3]i64 =
  let f (n: i64): [3]i64 = loop v = [1, 1, 1] for i < n do map2 (*) v [i + 1, 2, 3]
  in map2 (+) (f k) (f 3)

entry same [n] (k: i64) (a: [n]i64) =
  loop (x, y) = (a, a) for i < k do (x, x)
