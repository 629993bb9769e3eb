-- Methods as people write them: rays that step to a surface, Newton's method, binomial trees, a recurrent network,
-- sorting by ranks, sums, k-means with weights, soft alignment, a tridiagonal solver, butterflies.

-- ==
-- entry: march
-- input { [0.1f64, 0.2f64, 3f64] [1f64, 0.8f64] }
entry march (centre: [3]f64) (par: [2]f64) : f64 =
  let sdf (p: [3]f64) = f64.sqrt (f64.sum (map2 (\a b -> (a - b) ** 2) p centre)) - par[0] + 0.1 * f64.sin (3 * p[0] * par[1])
  let shade px py =
    let d = [px, py, 1f64]
    let l = f64.sqrt (f64.sum (map (\x -> x * x) d))
    let d = map (/ l) d
    let (_, t) = loop (i, t) = (0i32, 0) while i < 40 && sdf (map (* t) d) > 1e-7 do (i + 1, t + 0.7 * sdf (map (* t) d))
    in if t > 10 then 0 else 1 / (t * t)
  in f64.sum (map (\i -> shade (f64.i64 (i % 3) * 0.1 - 0.1) (f64.i64 (i / 3) * 0.1)) (iota 9))

-- ==
-- entry: newton
-- input { [2f64, 3f64, 5f64] }
entry newton [n] (as: [n]f64) : [n]f64 =
  map (\a -> let (_, x) = loop (e, x) = (1f64, a) while f64.abs e > 1e-10 do let e = (x * x * x - a) / (3 * x * x) in (e, x - e) in x) as

-- ==
-- entry: tree
-- input { 100f64 0.2f64 0.05f64 }
entry tree (s: f64) (sigma: f64) (r: f64) : f64 =
  let n = 12i64
  let dt = 1 / f64.i64 n
  let u = f64.exp (sigma * f64.sqrt dt)
  let p = (f64.exp (r * dt) - 1 / u) / (u - 1 / u)
  let leaf = tabulate (n + 1) (\i -> f64.max 0 (103 - s * u ** f64.i64 (2 * i - n)))
  let v =
    loop v = leaf
    for k < n do
      let t = n - 1 - k
      in tabulate (n + 1) (\i ->
                             if i > t
                             then 0
                             else f64.max (103 - s * u ** f64.i64 (2 * i - t)) (f64.exp (-r * dt) * (p * v[i + 1] + (1 - p) * v[i])))
  in v[0]

-- ==
-- entry: lstm
-- input { [[0.1f64, 0.2f64], [0.3f64, -0.4f64], [0.5f64, 0.6f64]] [[0.1f64, 0.2f64, 0.3f64, 0.1f64], [0.2f64, -0.1f64, 0.4f64, 0.2f64], [0.3f64, 0.3f64, -0.2f64, 0.1f64], [0.1f64, 0.5f64, 0.2f64, -0.3f64], [0.4f64, 0.1f64, 0.1f64, 0.2f64], [0.2f64, 0.2f64, 0.3f64, 0.3f64], [0.6f64, -0.1f64, 0.2f64, 0.1f64], [0.1f64, 0.3f64, 0.4f64, 0.2f64]] }
entry lstm [t] (xs: [t][2]f64) (w: [8][4]f64) : [t][2]f64 =
  let sg x = 1 / (1 + f64.exp (-x))
  in (loop (out, h, c) = (replicate t [0, 0], [0f64, 0], [0f64, 0])
      for i < t do
        let z = map (\row -> f64.sum (map2 (*) row (xs[i] ++ h :> [4]f64))) w
        let c' = tabulate 2 (\k -> sg z[k] * c[k] + sg z[k + 2] * f64.tanh z[k + 4])
        let h' = tabulate 2 (\k -> sg z[k + 6] * f64.tanh c'[k])
        in (out with [i] = h', h', c')).0

-- ==
-- entry: sorted
-- input { [3f64, 1f64, 2f64, 5f64, 4f64] }
entry sorted [n] (xs: [n]f64) : [n]f64 =
  let idx = map (\i -> i64.sum (map2 (\y j -> i64.bool (y < xs[i] || (y == xs[i] && j < i))) xs (iota n))) (iota n)
  let ys = scatter (replicate n 0) idx xs
  in scan (+) 0 (map2 (\y i -> y * f64.i64 (i + 1) * y) ys (iota n))

type shape = #circle f64 | #rect f64 f64 | #none

-- ==
-- entry: sums
-- input { [1.5f64, 2f64, 0.7f64] [0i32, 1i32, 2i32] }
entry sums [n] (xs: [n]f64) (ks: [n]i32) : [n]f64 =
  let mk k x: shape = if k == 0 then #circle x else if k == 1 then #rect x (x * x) else #none
  let area s = match s case #circle r -> r * r * 3.14 case #rect a b -> a * b + a case #none -> 0
  in map2 (\k x -> area (mk k x) * x) ks xs

-- ==
-- entry: kmeans
-- input { [[1f64, 2f64], [1.5f64, 1.8f64], [5f64, 8f64], [8f64, 8f64], [1f64, 0.6f64]] [[1f64, 1f64], [6f64, 7f64]] }
entry kmeans [n] [k] [d] (ps: [n][d]f64) (cs: [k][d]f64) : [k][d]f64 =
  loop cs for _i < 3i32 do
    let near p = (reduce (\(a, i) (b, j) -> if a < b || (a == b && i < j) then (a, i) else (b, j)) (f64.inf, k) (zip (map (\c -> f64.sum (map2 (\x y -> (x - y) ** 2) p c)) cs) (iota k))).1
    let as = map near ps
    let ws = map2 (\p a -> f64.exp (-0.05 * f64.sum (map2 (\x y -> (x - y) ** 2) p cs[a]))) ps as
    let num = reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) as (map2 (\p w -> map (* w) p) ps ws)
    let den = reduce_by_index (replicate k 0) (+) 0 as ws
    in map2 (\r s -> map (/ s) r) num den

-- ==
-- entry: dtw
-- input { [1f64, 2.1f64, 3.3f64] [1.2f64, 2f64, 2.9f64, 4f64] }
entry dtw [n] [m] (a: [n]f64) (b: [m]f64) : f64 =
  let t =
    loop t = (replicate (n + 1) (replicate (m + 1) 1e3)) with [0, 0] = 0
    for i < n do
      loop t for j < m do
        let x = t[i, j]
        let y = t[i + 1, j]
        let z = t[i, j + 1]
        let softmin = -0.1 * f64.log (f64.exp (-x / 0.1) + f64.exp (-y / 0.1) + f64.exp (-z / 0.1))
        in t with [i + 1, j + 1] = (a[i] - b[j]) ** 2 + softmin
  in t[n, m]

-- ==
-- entry: thomas
-- input { [1f64, 2f64, 3f64, 4f64] [4f64, 4.5f64, 5f64, 6f64] }
entry thomas [n] (d: [n]f64) (b: [n]f64) : [n]f64 =
  let (c, e) =
    loop (c, e) = (replicate n 0, replicate n 0)
    for i < n do
      let p = if i == 0 then 0 else c[i - 1]
      let q = if i == 0 then 0 else e[i - 1]
      let m = b[i] - p
      in (c with [i] = 1 / m, e with [i] = (d[i] - q) / m)
  in loop x = replicate n 0
     for k < n do
       let i = n - 1 - k
       in x with [i] = e[i] - c[i] * (if i == n - 1 then 0 else x[i + 1])

-- ==
-- entry: fftlike
-- input { [1f64, 2f64, 3f64, 4f64, 0.5f64, 0.25f64, 2f64, 1f64] }
entry fftlike [n] (xs: [n]f64) : [n]f64 =
  let (re, im) =
    loop (re, im) = (xs, map (const 0) xs)
    for s < 3i64 do
      let h = 1 << s
      let tw j = f64.pi * f64.i64 (j % h) / f64.i64 h
      let get i =
        let j = i & !h
        let k = j | h
        let (c, z) = (f64.cos (tw i), f64.sin (tw i))
        let (tr, ti) = (re[k] * c - im[k] * z, re[k] * z + im[k] * c)
        in if i == j then (re[j] + tr, im[j] + ti) else (re[j] - tr, im[j] - ti)
      in unzip (map get (iota n))
  in map2 (\a b -> a * a + b * b) re im
