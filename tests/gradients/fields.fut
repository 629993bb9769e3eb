-- Splines, rays, trees, tables of dynamic programming. `halo test --derivatives` checks them.

-- ==
-- entry: lens thomas_spline soft_dtw recursion_tree warp_image
-- input { [0.31, -1.17, 0.52, 0.73, 1.09] }
def at [n] (xs: [n]f64) (i: i64) = xs[i % n]

entry lens [n] (xs: [n]f64) : f64 =
  let go (y: f64) =
    let (y, u) =
      loop (y, u) = (y, 0.0)
      for i < 6 do
        let c = 0.2 * f64.tanh (at xs i)
        let sn = f64.sin (f64.atan u + f64.asin (0.5 * c * y))
        let u = u - (1.5 - 1) * c * y + 0.01 * sn
        in (y + 0.5 * u, u)
    in y * y
  in f64.sum (map (\i -> go (f64.i64 i / f64.i64 n)) (iota n))

entry thomas_spline [n] (xs: [n]f64) : f64 =
  let d = tabulate n (\i -> 3 * (xs[i64.min (n - 1) (i + 1)] - xs[i64.max 0 (i - 1)]))
  let (cs, ds) =
    loop (cs, ds) = (replicate n 0.0, replicate n 0.0)
    for i < n do
      let pc = if i == 0 then 0 else cs[i - 1]
      let pd = if i == 0 then 0 else ds[i - 1]
      let m = 4 - pc in (cs with [i] = 1 / m, ds with [i] = (d[i] - pd) / m)
  let s =
    loop s = replicate n 0.0
    for k < n do
      let i = n - 1 - k
      let nx = if i == n - 1 then 0 else s[i + 1]
      in s with [i] = ds[i] - cs[i] * nx
  in f64.sum (map2 (*) s xs)

entry soft_dtw [n] (xs: [n]f64) : f64 =
  let m = 4
  let sm a b c = let k = f64.min a (f64.min b c) in k - f64.log (f64.exp (k - a) + f64.exp (k - b) + f64.exp (k - c))
  let row =
    loop row = [0.0] ++ replicate m 10.0 :> [m + 1]f64
    for i < n do
      let new = replicate (m + 1) 10.0
      in loop new for j < m do
           new with [j + 1] = (xs[i] - f64.sin (f64.i64 j)) ** 2 + sm row[j] row[j + 1] new[j]
  in row[m]

entry recursion_tree [n] (xs: [n]f64) : f64 =
  let lv = loop v = xs while length v > 1 do let h = (length v + 1) / 2 in tabulate h (\i -> if 2 * i + 1 < length v then f64.tanh (v[2 * i] + 0.5 * v[2 * i + 1]) else v[2 * i]) in lv[0]

entry warp_image [n] (xs: [n]f64) : f64 =
  let m = 6
  let img i j = f64.sin (f64.i64 (i * 2 + j))
  in f64.sum (map (\k -> let x = f64.max 0 (f64.min 4 (f64.i64 (k % m) + 0.3 * xs[k])) let i = i64.f64 x let u = x - f64.i64 i in (img i k * (1 - u) + img (i + 1) k * u) ** 2) (iota n))
