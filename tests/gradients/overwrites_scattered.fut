-- Scatters, histograms and branches that change a carried array in place; `halo test --derivatives`.

-- ==
-- entry: scattered made_places twice_named small_bins arms arms_rows arms_loops arms_scatter two_arrays nested_arms pairs_bins
-- input { [1.5, 0.5, 2.0, -3.0, 0.25, 1.0, 0.3, 0.7, -0.4, 1.1, 0.6, 0.9, 0.2, 0.8, -0.1, 0.45, 0.15, 1.3] [3i64, 0i64, 17i64, 2i64, 1i64] }
entry scattered [n] [m] (xs: [n]f64) (is: [m]i64) =
  loop ys = copy xs
  for k < m do
    let vs = map (\i -> ys[i] * ys[(i + k) % n] + f64.sum ys / 9) is
    in scatter ys is vs

-- Places that the step makes; some lie outside.
entry made_places [n] [m] (xs: [n]f64) (is: [m]i64) =
  loop ys = copy xs
  for k < m do
    let at = map (\i -> (i * 5 + k * 7) % (n + 3) - 1) is
    let vs = map (\i -> ys[i] * ys[(i + k) % n] + f64.sum (map f64.sin ys)) is
    in scatter ys at vs

-- Places that are named twice, where both write the same.
entry twice_named [n] [m] (xs: [n]f64) (is: [m]i64) =
  loop ys = copy xs
  for k < m do
    let at = map (\i -> (i / 2 + k) % n) is
    let vs = map (\i -> ys[(i + 1) % n] * f64.sum ys / 4) at
    in scatter ys at vs

-- A histogram of three values.
entry small_bins [n] [m] (xs: [n]f64) (is: [m]i64) =
  loop ys = copy xs
  for k < m do
    let at = map (\j -> (is[k] + j * j) % n) (iota 3)
    let vs = map (\i -> f64.sin ys[i] * f64.sum (map (\y -> y * y) ys) / 9) at
    in reduce_by_index ys (+) 0 at vs

entry arms [n] [m] (xs: [n]f64) (is: [m]i64) =
  loop ys = copy xs
  for k < m do
    let i = is[k]
    let s = f64.sum (map f64.sin ys)
    in if i > 2
       then ys with [i] = s * ys[i]
       else if i > 0
       then (ys with [i + 1] = ys[i] * s) with [k] = s
       else ys

-- Rows of a matrix, another number of them in each arm.
entry arms_rows [n] [m] (xs: [n]f64) (is: [m]i64) =
  loop rows = replicate m xs
  for k < m do
    let s = map f64.sum rows
    in if is[k] % 2 == 1
       then rows with [k] = map (\x -> f64.sin x * s[is[k] % m]) rows[(k + 1) % m]
       else (rows with [k, 1:4] = map (* s[k]) rows[(k + 2) % m, 1:4]) with [(k + 1) % m, 0] = s[k] * s[0]

-- Loops in arms.
entry arms_loops [n] [m] (xs: [n]f64) (is: [m]i64) =
  loop rows = replicate m (map (/ 4) xs)
  for k < m do
    let s = f64.sum (map f64.sum rows)
    in if is[k] > 1
       then loop rows = rows for j < n do rows with [k, j] = rows[k, j] * s / 5 + rows[(k + 1) % m, j]
       else rows with [k, 2] = s

entry arms_scatter [n] [m] (xs: [n]f64) (is: [m]i64) =
  loop ys = copy xs
  for k < m do
    let s = f64.sum (map (\y -> y * y) ys) / 9
    in if k % 2 == 0 then scatter ys is (map (\i -> ys[(i + 1) % n] * s) is) else ys with [k] = s

-- Both are changed by one branch.
entry two_arrays [n] [m] (xs: [n]f64) (is: [m]i64) =
  let (ys, zs) =
    loop (ys, zs) = (copy xs, map (* 2) xs)
    for k < m do
      let s = f64.sum (map2 (*) ys zs) / 9
      in if is[k] > 1 then (let t = ys[k] * s in (ys with [k] = s, zs with [is[k]] = t)) else (let t = zs[k] * s in (ys with [k + 1] = t, zs))
  in (ys, zs)

-- An array that a branch changes, and then a scatter, and then an update.
entry nested_arms [n] [m] (xs: [n]f64) (is: [m]i64) =
  loop ys = copy xs
  for k < m do
    let ys = if is[k] > 1 then ys with [k] = f64.sum ys * 0.3 else ys
    let ys = scatter ys (map (+ 1) is) (map (\i -> f64.sin (ys[i] + f64.maximum ys)) is)
    in ys with [0] = f64.sum (map f64.cos ys)

-- Histograms of pairs, and of rows.
entry pairs_bins [n] [m] (xs: [n]f64) (is: [m]i64) =
  let (ys, _) =
    loop (ys, rows) = (copy xs, replicate n [0.1, 0.2])
    for k < m do
      let at = [is[k], (is[k] + 3) % n]
      let s = f64.sum (map (\y -> y * y) ys) / 20
      let ys = reduce_by_index ys f64.max (-9) at [s, ys[at[1]] * 1.5]
      in (ys, reduce_by_index rows (map2 (+)) [0, 0] at [[s, ys[k]], [1, s]])
  in ys
