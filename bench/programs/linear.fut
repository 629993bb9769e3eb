-- Dense and sparse linear algebra as written by hand: LU and Cholesky decompositions, conjugate gradients,
-- batched tridiagonal systems and batched small products.

-- | A diagonally dominant matrix.
def dominant (n: i64) : [n][n]f32 =
  tabulate_2d n n (\i j -> if i == j then f32.i64 n else 1 / f32.i64 (1 + i + j))

-- ==
-- entry: lu
-- input { 5i64 }
-- notest input { 1024i64 }

-- | LU decomposition in place, a column at a time. Gives a digest of the factors.
entry lu (n: i64) : f32 =
  let lu =
    loop a = dominant n
    for k < n - 1 do
      let pivot = a[k, k]
      let column = map (\i -> if i > k then a[i, k] / pivot else a[i, k]) (iota n)
      let row = copy a[k]
      in tabulate_2d n n (\i j ->
                            if i > k && j > k
                            then a[i, j] - column[i] * row[j]
                            else if j == k then column[i] else a[i, j])
  in f32.sum (map f32.sum lu)

-- ==
-- entry: cholesky
-- input { 5i64 }
-- notest input { 512i64 }

-- | Cholesky decomposition by rows of dot products. Gives the trace of the factor.
entry cholesky (n: i64) : f32 =
  let a = dominant n
  let l =
    loop l = replicate n (replicate n 0f32)
    for j < n do
      let d = f32.sqrt (a[j, j] - f32.sum (map (\x -> x * x) l[j]))
      let column =
        map (\i ->
               if i < j
               then 0
               else if i == j
               then d
               else (a[i, j] - f32.sum (map2 (*) l[i] l[j])) / d)
            (iota n)
      in map2 (\row c -> copy row with [j] = c) l column
  in f32.sum (map (\i -> l[i, i]) (iota n))

-- | The five-point Laplacian on a square of k by k cells as compressed rows: starts, columns, values.
def laplacian (k: i64) =
  let n = k * k
  let neighbours i =
    let (r, c) = (i / k, i % k)
    in [ (r > 0, i - k, -1f64)
       , (c > 0, i - 1, -1)
       , (true, i, 4)
       , (c < k - 1, i + 1, -1)
       , (r < k - 1, i + k, -1)
       ]
  let entries = filter (.0) (flatten (map neighbours (iota n)))
  let lengths = map (\i -> i64.sum (map (\e -> i64.bool e.0) (neighbours i))) (iota n)
  let starts = map2 (-) (scan (+) 0 lengths) lengths
  in (starts ++ [length entries], map (.1) entries, map (.2) entries)

-- ==
-- entry: conjugate_gradient
-- input { 8i64 10i32 }
-- notest input { 512i64 100i32 }

-- | Steps of conjugate gradients on the Laplacian, rows of the matrix as sequential dot products.
entry conjugate_gradient (k: i64) (steps: i32) : f64 =
  let (starts, columns, values) = laplacian k
  let n = k * k
  let times (x: [n]f64) =
    tabulate n (\i ->
                  loop sum = 0
                  for e in starts[i]..<starts[i + 1] do
                    sum + values[e] * x[columns[e]])
  let dot (x: [n]f64) y = f64.sum (map2 (*) x y)
  let b = tabulate n (\i -> f64.i64 (i % 7) - 3)
  let (_, r, _, _) =
    loop (x, r, p, rr) = (replicate n 0, b, b, dot b b)
    for _i < steps do
      let ap = times p
      let alpha = rr / dot p ap
      let x = map2 (\x p -> x + alpha * p) x p
      let r = map2 (\r ap -> r - alpha * ap) r ap
      let rr' = dot r r
      let p = map2 (\r p -> r + rr' / rr * p) r p
      in (x, r, p, rr')
  in dot r r

-- ==
-- entry: tridiagonal
-- input { 4i64 8i64 }
-- notest input { 65536i64 64i64 }

-- | Many tridiagonal systems, each by Thomas's algorithm.
entry tridiagonal (systems: i64) (m: i64) : f32 =
  let solve s =
    let d = tabulate m (\i -> f32.i64 ((s + i) % 11))
    let (c', d') =
      loop (c', d') = (replicate m 0f32, replicate m 0f32)
      for i < m do
        let before = i64.max 0 (i - 1)
        let a = if i == 0 then 0 else -1
        let w = 4 - a * c'[before]
        in (c' with [i] = -1 / w, d' with [i] = (d[i] - a * d'[before]) / w)
    let x =
      loop x = copy d'
      for k < m - 1 do
        let i = m - 2 - k
        in x with [i] = d'[i] - c'[i] * x[i + 1]
    in f32.sum x
  in f32.sum (map solve (iota systems))

-- ==
-- entry: small_products
-- input { 3i64 2i64 }
-- notest input { 65536i64 16i64 }

-- | A product of two m by m matrices for each of n cells.
entry small_products (n: i64) (m: i64) : f32 =
  let a = tabulate_3d n m m (\b i j -> f32.i64 ((b + i + 2 * j) % 5))
  let b = tabulate_3d n m m (\b i j -> f32.i64 ((b + 3 * i + j) % 7))
  let product (x: [m][m]f32) (y: [m][m]f32) =
    map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose y)) x
  in f32.sum (map (\c -> f32.sum (map f32.sum c)) (map2 product a b))

-- ==
-- entry: inverse
-- input { 7i64 }
-- notest input { 1024i64 }

-- | A matrix beside the unit matrix, eliminated with pivots (Gauss and Jordan). Gives the trace of the inverse.
entry inverse (n: i64) : f32 =
  let start =
    tabulate_2d n (2 * n) (\i j ->
                             if j < n
                             then f32.i64 ((i * 37 + j * 91 + i * j) % 17) + (if i == j then 20 else 0)
                             else if j - n == i then 1 else 0)
  let larger (i, x) (j, y) = if f32.abs x > f32.abs y || (f32.abs x == f32.abs y && i < j) then (i, x) else (j, y)
  let done =
    loop rows = start
    for k < n do
      let (p, _) = reduce_comm larger (k, 0) (zip (iota n) (map2 (\i row -> if i >= k then row[k] else 0) (iota n) rows))
      let pivot = map (/ rows[p, k]) rows[p]
      in tabulate n (\i ->
                       if i == k
                       then pivot
                       else let row = if i == p then rows[k] else rows[i]
                            in map2 (\x y -> x - row[k] * y) row pivot)
  in f32.sum (tabulate n (\i -> done[i, n + i]))
