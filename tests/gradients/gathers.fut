-- Reads by positions: their adjoints are maps and sums over axes; by others: histograms.
-- `halo test --derivatives` checks them.

-- ==
-- entry: product
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [[1.0, 2.0, 5.0], [3.0, 4.0, 6.0]] }
-- input { empty([0][2]f64) empty([2][0]f64) }
entry product [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  tabulate_2d n p (\i j -> loop s = 0 for k < m do s + a[i, k] * b[k, j])

-- ==
-- entry: turned
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [1.0, 2.0] [3.0, 4.0, 5.0] }
entry turned [n] [m] (a: [n][m]f64) (x: [m]f64) (y: [n]f64) : [m][n]f64 =
  tabulate_2d m n (\j i -> a[i, j] * x[j] + y[i] * x[m - 1 - j])

-- ==
-- entry: guarded
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] 2i64 }
entry guarded [n] (x: [n]f64) (k: i64) : [n]f64 =
  tabulate n (\i ->
                if i > 0 && i < n - 1 then x[i - 1] + x[i] * x[i + 1] else if i == 0 then x[k] * x[i] else x[i])

-- ==
-- entry: shorter
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] [2.0, 3.0] }
entry shorter [n] [m] (x: [n]f64) (y: [m]f64) : [m]f64 =
  tabulate m (\i -> x[i] * y[i] + (if i < n - 3 then x[i + 3] else x[0]))

-- ==
-- entry: inner
-- input { [[1.0, 2.0], [3.0, 4.0]] }
entry inner [n] (a: [n][n]f64) : [n]f64 =
  tabulate n (\i ->
                f64.sum (tabulate n (\j -> if i == j then a[i, i] else a[j, i] * a[i, j] * f64.sum a[j])))

-- ==
-- entry: stencil
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] }
-- input { [1.0] }
-- input { empty([0]f64) }
entry stencil [n] (x: [n]f64) : [n]f64 =
  tabulate n (\i ->
                let left = if i >= 2 then x[i - 2] else x[0]
                let right = if i + 1 < n then x[i + 1] * x[i] else 0
                in left * right + x[i64.min (i + 1) (n - 1)])

-- ==
-- entry: plane
-- input { [[1.0, 2.0, 3.0], [3.0, 4.0, 1.0], [5.0, 6.0, 2.0]] }
entry plane [n] [m] (a: [n][m]f64) : [n][m]f64 =
  tabulate_2d n m (\i j ->
                     if i > 0 && j > 0 && i < n - 1 && j < m - 1
                     then a[i - 1, j] * a[i + 1, j] + a[i, j - 1] - a[i, j + 1] + a[i, j] ** 2
                     else a[i, j])

-- Rows of which cells around read one element each; rows of rows.
-- ==
-- entry: columns
-- input { [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]] }
entry columns [k] [n] (a: [k][n]f64) : [n]f64 = tabulate n (\i -> f64.sum (map (\r -> r[i] * r[(i + 1) % n]) a))

-- ==
-- entry: planes
-- input { [[[0.1, 0.2], [0.3, -0.4]], [[0.5, 0.6], [0.7, 0.8]], [[0.9, 0.3], [0.2, 0.1]]] [1i64, 0i64] }
entry planes [k] [n] [m] (a: [k][n][m]f64) (is: [m]i64) : [m][n]f64 =
  tabulate m (\i -> map2 (\r s -> r * s) (map (\p -> p[is[i]]) a[1]) (map f64.sum (map (map (\r -> r[i])) (transpose a))))

-- Around both extents and more; around another number; the same cell of a turned row twice.
-- ==
-- entry: around
-- input { [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]] 2i64 }
entry around [n] [m] (a: [n][m]f64) (k: i64) : [n][m]f64 =
  tabulate_2d n m (\i j ->
                     a[(i + 1) % n, (j - 2) % m] * a[i, (j + 1) % m] + a[(i - 1) % k, j % k]
                     + a[(i + j) % n, (j + 5) % m] * a[(j - 1) % n, (j + 1) % m])

-- ==
-- entry: speeds
-- input { [[[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], [[0.7, 0.8, 0.9], [0.15, 0.25, 0.35]]] 1i64 }
entry speeds [n] [m] (a: [n][m][3]f64) (k: i64) : [n][m][3]f64 =
  tabulate_2d n m (\i j -> [a[(i + 1) % n, j, 0] * a[i, j, 2], a[i, (j + 1) % m, 1] + a[i, j, k], a[i, j, 0] * a[i, (j - 1) % m, 0]])

-- ==
-- entry: no_cells
-- input { [0.5, 0.25] 0i64 }
entry no_cells [m] (a: [m]f64) (n: i64) : [n][m]f64 = tabulate_2d n m (\i j -> a[(j + i) % m] * a[(j + 1) % m])

-- Around a number that may be 0 where nobody reads, or negative.
-- ==
-- entry: chosen
-- input { [0.5, 0.25, 0.75] 0i64 }
-- input { [0.5, 0.25, 0.75] 2i64 }
-- input { [0.5, 0.25, 0.75] -2i64 }
entry chosen [n] (xs: [n]f64) (k: i64) : [n]f64 =
  map (\i -> if k > 0 then xs[i % k] * xs[(i + 1) % k] else if k == 7 then xs[i % 0] else xs[i] * xs[i]) (iota n)

-- ==
-- entry: negative
-- input { [0.5, 0.25, 0.75] -1i64 }
entry negative [n] (xs: [n]f64) (k: i64) : [n]f64 = map (\i -> xs[(i + 1) % k] * xs[i]) (iota n)

-- Points that edges and loops choose, read by their coordinates.
-- ==
-- entry: edges
-- input { [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]] [0i64, 2i64, 2i64, 1i64] [1i64, 1i64, 2i64, 0i64] }
entry edges [n] [m] (ps: [n][3]f64) (from: [m]i64) (to: [m]i64) : [m]f64 =
  map2 (\i j ->
          let (p, q) = (ps[i], ps[j])
          in (p[0] - q[0]) ** 2 + p[1] * q[2]
             + (loop s = 0 for k < i do s + ps[to[k], 1] * ps[to[k], 2] * p[0]))
       from
       to
