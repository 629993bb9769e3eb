-- Linear algebra in place: LU decomposition, Gauss-Jordan inversion, Cholesky, Floyd-Warshall.
-- tolerance: 1e-9
-- ==
-- entry: lu
-- input { [[4.0, 3.0, 2.0], [8.0, 8.0, 7.0], [4.0, 7.0, 9.0]] }
-- output { [[4.0, 3.0, 2.0], [2.0, 2.0, 3.0], [1.0, 2.0, 1.0]] }
-- ==
-- entry: solve
-- input { [[4.0, 3.0, 2.0], [8.0, 8.0, 7.0], [4.0, 7.0, 9.0]] [9.0, 23.0, 20.0] } output { [1.0, 1.0, 1.0] }
-- ==
-- entry: inverse
-- input { [[0.0, 2.0], [4.0, 2.0]] } output { [[-0.25, 0.25], [0.5, 0.0]] }
-- ==
-- entry: cholesky
-- input { [[4.0, 2.0, 2.0], [2.0, 10.0, 7.0], [2.0, 7.0, 21.0]] }
-- output { [[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [1.0, 2.0, 4.0]] }
-- ==
-- entry: shortest_paths
-- input { [[0, 3, 99, 7], [8, 0, 2, 99], [5, 99, 0, 1], [2, 99, 99, 0]] }
-- output { [[0, 3, 5, 6], [5, 0, 2, 3], [3, 6, 0, 1], [2, 5, 7, 0]] }

-- The two triangles in one matrix, Doolittle's way.
def decompose [n] (a: *[n][n]f64) : *[n][n]f64 =
  loop a for k < n do
    loop a for i in k + 1..<n do
      let a[i, k] = a[i, k] / a[k, k]
      let factor = a[i, k]
      in loop a for j in k + 1..<n do
           a with [i, j] = a[i, j] - factor * a[k, j]

def forward [n] (lu: [n][n]f64) (b: *[n]f64) : *[n]f64 =
  loop b for i < n do
    let sum = loop sum = 0.0 for j < i do sum + lu[i, j] * b[j]
    in b with [i] = b[i] - sum

def backward [n] (lu: [n][n]f64) (y: *[n]f64) : *[n]f64 =
  loop y for k < n do
    let i = n - 1 - k
    let sum = f64.sum (map (\j -> if j > i then lu[i, j] * y[j] else 0.0) (iota n))
    in y with [i] = (y[i] - sum) / lu[i, i]

entry lu [n] (a: [n][n]f64) = decompose (copy a)

entry solve [n] (a: *[n][n]f64) (b: *[n]f64) =
  let lu = decompose a
  in backward lu (forward lu b)

def swap_rows [n] [m] (i: i64) (j: i64) (a: *[n][m]f64) : *[n][m]f64 =
  let row = copy a[i]
  let a[i] = copy a[j]
  let a[j] = row
  in a

def pivot [n] [m] (a: [n][m]f64) (k: i64) : i64 =
  (loop (best, at) = (f64.abs a[k, k], k)
   for i in k + 1..<n do
     if f64.abs a[i, k] > best then (f64.abs a[i, k], i) else (best, at)).1

entry inverse [n] (a: [n][n]f64) : [n][n]f64 =
  let wide = map2 (\row i -> row ++ map (\j -> if i == j then 1.0 else 0.0) (iota n)) a (iota n)
  let wide =
    loop (wide: *[n][n + n]f64) = wide
    for k < n do
      let row = pivot wide k
      let wide = swap_rows k row wide
      let head = wide[k, k]
      let wide[k] = map (/ head) wide[k]
      let top = copy wide[k]
      in map2 (\row i -> if i == k then row else map2 (\x t -> x - row[k] * t) row top) wide (iota n)
  in map (\row -> row[n:] :> [n]f64) wide

entry cholesky [n] (a: [n][n]f64) : [n][n]f64 =
  let l = replicate n (replicate n 0.0)
  in loop l for i < n do
       loop l for j < i + 1 do
         let sum = f64.sum (map2 (*) l[i, :j] l[j, :j])
         in if i == j
            then l with [i, i] = f64.sqrt (a[i, i] - sum)
            else l with [i, j] = (a[i, j] - sum) / l[j, j]

entry shortest_paths [n] (d: *[n][n]i32) =
  loop d for k < n do
    tabulate_2d n n (\i j -> i32.min d[i, j] (d[i, k] + d[k, j]))
