-- Derivatives inside of loops, maps and conditions, derivatives of one's own, and tables filled in order.
type node = {at: f64, kind: #leaf f64 | #inner (f64, i64) | #gap}

-- ==
-- entry: levenberg jacobian_in_loop hess_in_map newton_while custom_cells custom_tape multigrid pic softdtw tree
-- input { [0.3, -0.7, 1.1, 0.45, 0.9, -0.2] }

entry levenberg (xs: [6]f64) =
  let model (p: [2]f64) = map (\x -> p[0] * f64.exp (p[1] * x) - x * x) xs
  in loop p = [xs[0], xs[1]]
     for _i < 3i64 do
       let js = jmp model p [[1, 0], [0, 1]]
       let r = model p
       let a = map (\u -> map (\v -> f64.sum (map2 (*) u v)) js) js
       let g = map (\u -> f64.sum (map2 (*) u r)) js
       let (aa, bb, dd) = (a[0, 0] + 0.5, a[0, 1], a[1, 1] + 0.5)
       let det = aa * dd - bb * bb
       in [p[0] - (dd * g[0] - bb * g[1]) / det, p[1] - (aa * g[1] - bb * g[0]) / det]

entry jacobian_in_loop (xs: [6]f64) =
  loop ys = xs
  for i < 3i64 do
    let f (zs: [6]f64) = map2 (\a b -> f64.sin (a * b) + xs[i] * a) zs (rotate 1 zs)
    in map (\g -> 0.2 * f64.sum g) (mjp f ys [map (* 1.0) ys, rotate 2 ys] |> transpose)

entry hess_in_map (xs: [6]f64) =
  map (\x ->
         let f (p: [2]f64) = f64.sin (p[0] * x) * p[1] ** 3 + f64.exp (p[0] * p[1]) + xs[3] * p[0] * p[0]
         let h = map (\i -> jvp (\p -> vjp f p 1) [x, 0.7] (tabulate 2 (\j -> f64.bool (i == j)))) (iota 2)
         in h[0, 0] * h[1, 1] - h[0, 1] * h[1, 0])
      xs

entry newton_while (xs: [6]f64) =
  map (\x ->
         let f y = y * y * y - x * y - 1
         let (y, _) = loop (y, n) = (1.5f64, 0i32) while f64.abs (f y) > 1e-8 && n < 20 do (y - f y / jvp f y 1, n + 1)
         in y)
      xs

entry custom_cells (xs: [6]f64) =
  let clip = with_vjp (\x -> f64.max (-1) (f64.min 1 x)) (\y w -> if f64.abs y < 1 then w else 0)
  in loop ys = xs for _i < 3i64 do map (\y -> clip (y * 1.2) * f64.sum (map clip xs)) ys

entry custom_tape (xs: [6]f64) =
  let norm =
    with_vjp_tape (\(ys: [6]f64) -> let s = f64.sqrt (f64.sum (map (\y -> y * y) ys)) in ((ys, s), map (/ s) ys))
                  (\((ys, s), w) -> let d = f64.sum (map2 (*) ys w) in map2 (\y w -> (w - y * d / (s * s)) / s) ys w)
  in loop ys = xs for i < 3i64 do norm (map2 (\a b -> a + xs[i] * b) ys (rotate 1 ys))

entry multigrid (xs: [6]f64) =
  let smooth [m] (f: [m]f64) (u: [m]f64) =
    stencil_1d_with (#constant 0) [-1, 0, 1] (\f v -> 0.3 * (v[0] + v[2] + f) + 0.4 * v[1]) f u
  let fine = tabulate 12 (\i -> xs[i % 6] * f64.i64 (1 + i / 6))
  let u = smooth fine (smooth fine (replicate 12 0))
  let r = map2 (-) fine (stencil_1d_with (#constant 0) [-1, 0, 1] (\() v -> 2 * v[1] - v[0] - v[2]) (replicate 12 ()) u)
  let rc = map2 (+) (r[0::2] :> [6]f64) (map (* 0.5) (r[1::2] :> [6]f64))
  let e = loop e = replicate 6 0 for _i < 3i64 do smooth rc e
  let up = flatten (transpose [e, map2 (\a b -> 0.5 * (a + b)) e (rotate 1 e)]) :> [12]f64
  in smooth fine (map2 (+) u up)

entry pic (xs: [6]f64) =
  loop (ps, vs) = (map (\x -> 4 + x) xs, map (* 0.3) xs)
  for _i < 3i64 do
    let cell p = let c = f64.floor p in (i64.f64 c, p - c)
    let (is, ws) = unzip (map cell ps)
    let grid = reduce_by_index (replicate 8 0f64) (+) 0 (is ++ map (+ 1) is) (map (1 -) ws ++ ws)
    let field = stencil_1d_with #wrap [-1, 1] (\() v -> 0.5 * (v[0] - v[1])) (replicate 8 ()) grid
    let vs = map3 (\v i w -> v + 0.1 * (field[i] * (1 - w) + field[i + 1] * w)) vs is ws
    in (map2 (\p v -> f64.max 0.5 (f64.min 6.5 (p + 0.1 * v))) ps vs, vs)

entry softdtw (xs: [6]f64) =
  let ys = map (\x -> x * x + 0.1) (rotate 2 xs)
  let cost i j = let d = xs[i] - ys[j] in d * d
  let share m a = f64.exp ((m - a) / 0.3)
  let soft a b c =
    let m = f64.min a (f64.min b c)
    in if m > 1e8 then m else m - 0.3 * f64.log (share m a + share m b + share m c)
  let (_, last) =
    loop (older, old) = (replicate 6 1e9f64, replicate 6 1e9f64)
    for d < 11i64 do
      let new =
        tabulate 6 (\i ->
                      let j = d - i
                      in if j < 0 || j > 5
                         then 1e9
                         else if d == 0
                         then cost 0 0
                         else let up = if i > 0 then old[i - 1] else 1e9
                              let left = if j > 0 then old[i] else 1e9
                              let diag = if i > 0 && j > 0 then older[i - 1] else 1e9
                              in cost i j + soft up left diag)
      in (old, new)
  in last[5]

entry tree (xs: [6]f64) =
  let node i: node =
    if i < 5
    then {at = xs[i], kind = #inner (xs[(i + 2) % 6], 2 * i + 1)}
    else if i % 4 == 3 then {at = 0.5, kind = #gap} else {at = 1, kind = #leaf xs[i - 5]}
  let nodes = tabulate 11 node
  let vals =
    loop vals = replicate 11 0f64
    for k < 11i64 do
      let i = 10 - k
      let v =
        match nodes[i].kind
        case #leaf l -> l * nodes[i].at
        case #inner (w, c) -> w * vals[c] + vals[c + 1] * nodes[i].at
        case #gap -> nodes[i].at
      in vals with [i] = v
  in vals
