-- Loops: counted, until something holds, in place, factorisations, a sort. `halo test --derivatives` checks them.

-- ==
-- entry: newton
-- input { [1.5, 2.0, 3.0] }
entry newton [n] (xs: [n]f64) =
  map (\a -> (loop (x, i) = (a, 0i32) while f64.abs (x * x - a) > 1e-12 && i < 50 do (x - (x * x - a) / (2 * x), i + 1)).0) xs

-- ==
-- entry: in_place
-- input { [1.0, 2.0, 3.0, 4.0] }
entry in_place [n] (xs: [n]f64) =
  loop ys = copy xs for i in 1..<n do ys with [i] = ys[i] * ys[i - 1] + ys[0]

-- ==
-- entry: lu
-- input { [[4.0, 2.0, 1.0], [1.0, 5.0, 2.0], [0.5, 1.0, 3.0]] }
entry lu [n] (a: [n][n]f64) =
  loop m = copy a
  for k < n do
    loop m for i in k + 1..<n do
      let f = m[i, k] / m[k, k]
      let m[i, k] = f
      in loop m for j in k + 1..<n do m with [i, j] = m[i, j] - f * m[k, j]

-- ==
-- entry: cholesky
-- input { [[4.0, 2.0, 1.0], [2.0, 5.0, 2.0], [1.0, 2.0, 3.0]] }
entry cholesky [n] (a: [n][n]f64) =
  loop l = replicate n (replicate n 0)
  for i < n do
    loop l for j < i + 1 do
      let s = f64.sum (map2 (*) (take j l[i]) (take j l[j]))
      in l with [i, j] = if i == j then f64.sqrt (a[i, i] - s) else (a[i, j] - s) / l[j, j]

-- ==
-- entry: while_vjp
-- input { 1.5 }
entry while_vjp (x: f64) = loop y = x while y > 1e-3 do y * vjp f64.sin (y / 4) 0.25

-- ==
-- entry: sorted
-- input { [3.0, 1.0, 2.5, -1.0] }
entry sorted [n] (xs: [n]f64) = loop ys = copy xs for i < n do loop ys for j < n - 1 - i do if ys[j] > ys[j + 1] then let a = ys[j] let b = ys[j + 1] let ys[j] = b in ys with [j + 1] = a else ys

-- ==
-- entry: map_free
-- input { [1.0, 2.0, 3.0] [[1.0, 2.0, 0.5], [0.0, 1.0, 2.0], [3.0, 1.0, 1.0]] }
entry map_free [n] (xs: [n]f64) (a: [n][n]f64) =
  map (\i -> loop s = 0 for j < n do s + a[i, j] * xs[j] * xs[i]) (iota n)
