-- Programs of sciences as people differentiate them. `halo test --derivatives` checks them.

def near [n] (xs: [n]f64) (k: f64) (m: i64) : [m]f64 =
  tabulate m (\i -> let x = xs[i % n] * (k + 0.37 * f64.i64 i) in f64.sin x)

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)
def product [n] [m] [k] (a: [n][m]f64) (b: [m][k]f64) : [n][k]f64 = map (\r -> map (dot r) (transpose b)) a

def log_sum [n] (xs: [n]f64) : f64 =
  let most = f64.maximum xs
  in most + f64.log (f64.sum (map (\x -> f64.exp (x - most)) xs))

-- ==
-- entry: bounces ode kalman marched markov asian american spline elbo warped swarm layered assembled chained adaptive
-- input { [0.3, -0.7, 1.1, 0.45, 0.9] }

-- Balls that bounce off the floor with friction, in few states.
entry bounces (xs: [5]f64) =
  let step (ps: [5]f64) (vs: [5]f64) =
    let vs = map (\v -> v - 0.05) vs
    let ps' = map2 (\p v -> p + 0.1 * v) ps vs
    let hits = map (< -1) ps'
    in (map2 (\h p -> if h then -2 - p else p) hits ps', map2 (\h v -> if h then -0.8 * v else v) hits vs)
  let (ps, vs) =
    #[checkpoint(6)]
    loop (ps, vs) = (xs, map (* 0.3) xs)
    for _i < 40i64 do
      step ps vs
  in dot ps ps + f64.sum vs

-- A network as the right side of an equation, by Runge and Kutta.
entry ode (xs: [5]f64) =
  let w: [5][5]f64 = unflatten (near xs 2 25)
  let f t y = map2 (\row y -> f64.tanh (dot row (map (+ t) xs) + y)) w y
  let last =
    loop y = xs
    for i < 6i64 do
      let t = 0.1 * f64.i64 i
      let a = f t y
      let b = f (t + 0.05) (map2 (\y a -> y + 0.05 * a) y a)
      let c = f (t + 0.05) (map2 (\y b -> y + 0.05 * b) y b)
      let d = f (t + 0.1) (map2 (\y c -> y + 0.1 * c) y c)
      in map5 (\y a b c d -> y + 0.1 / 6 * (a + 2 * b + 2 * c + d)) y a b c d
  in f64.sum (map f64.sin last)

-- The likelihood of what a Kalman filter sees.
entry kalman (xs: [5]f64) =
  let a = [[1, 0.1 * xs[0]], [xs[1] * 0.2, 0.9]]
  let q = [[0.1 + xs[2] ** 2, 0], [0, 0.2 + xs[3] ** 2]]
  let (_, _, total) =
    loop (m, p, total) = ([xs[0], xs[1]], [[1, 0], [0, 1]], 0)
    for y in near xs 3 8 do
      let m = map (dot m) a
      let p = map2 (map2 (+)) (product (product a p) (transpose a)) q
      let s = p[0, 0] + 0.1 + xs[4] ** 2
      let gain = map (\row -> row[0] / s) p
      let miss = y - m[0]
      let p' = map2 (\g row -> map2 (\x top -> x - g * top) row p[0]) gain p
      in (map2 (\m g -> m + g * miss) m gain, p', total - 0.5 * (f64.log s + miss * miss / s))
  in total

-- Rays that march to a surface, and the light there.
entry marched (xs: [5]f64) =
  let distance (p: [3]f64) =
    let ball = f64.sqrt (dot p p + 0.01) - (0.8 + 0.1 * xs[0])
    in f64.min ball (p[1] + 1 + 0.1 * f64.sin (3 * p[0] + xs[1]))
  let ray i =
    let d = [0.1 * f64.i64 i - 0.3 + 0.05 * xs[2], 0.1 * xs[3], 1]
    let d = map (/ f64.sqrt (dot d d)) d
    let (t, _, _) =
      #[bound(60)]
      loop (t, step, i) = (0, 1, 0i64)
      while f64.abs step > 1e-3 && t < 6 && i < 50 do
        let step = distance (map (\x -> x * t) d |> map2 (+) [0, 0, -2])
        in (t + step, step, i + 1)
    in 1 / (1 + t * t) * (1 + xs[4])
  in map ray (iota 7)

-- Hidden states of a Markov chain: all paths together, the best one, and states in between.
entry markov (xs: [5]f64) =
  let normal row = let all = log_sum row in map (\x -> x - all) row
  let moves: [4][4]f64 = map normal (unflatten (near xs 2 16))
  let sights: [4][3]f64 = map normal (unflatten (near xs 3 12))
  let seen = map (\i -> (i * 7) % 3) (iota 9)
  let step combine (alpha: [4]f64) o =
    map2 (\into s -> s[o] + combine (map2 (+) alpha into)) (transpose moves) sights
  let all = log_sum (loop alpha = replicate 4 (-1.386) for o in seen do step log_sum alpha o)
  let best = f64.maximum (loop alpha = replicate 4 (-1.386) for o in seen do step f64.maximum alpha o)
  in [all, best]

-- An Asian option by simulation.
entry asian (xs: [5]f64) =
  let (spot, strike, rate, spread) = (1 + 0.1 * xs[0], 1 + 0.02 * xs[1], 0.05 * xs[2], 0.3 + 0.1 * xs[3])
  let noise i t = f64.sin (f64.i64 (i * 37 + t * 101)) * 1.2
  let path i =
    let (_, sum) =
      loop (s, sum) = (spot, 0)
      for t < 12i64 do
        let s = s * f64.exp ((rate - 0.5 * spread ** 2) / 12 + spread * noise i t / f64.sqrt 12)
        in (s, sum + s)
    in f64.max 0 (sum / 12 - strike)
  in f64.exp (-rate) * f64.sum (map path (iota 40)) / 40 * (1 + xs[4])

-- An American option in a tree, in place.
entry american (xs: [5]f64) =
  let n = 12i64
  let (spread, rate) = (0.3 + 0.1 * xs[0], 0.04 + 0.01 * xs[1])
  let up = f64.exp (spread / f64.sqrt (f64.i64 n))
  let fair = (f64.exp (rate / f64.i64 n) - 1 / up) / (up - 1 / up)
  let price i t = (1 + 0.1 * xs[2]) * up ** f64.i64 (2 * i - t)
  let worth i t = f64.max 0 (1.02 + 0.05 * xs[3] - price i t)
  let values =
    loop vs = tabulate (n + 1) (\i -> worth i n)
    for k < n do
      loop (vs: *[n + 1]f64) = copy vs
      for i < n - k do
        let hold = (fair * vs[i + 1] + (1 - fair) * vs[i]) * f64.exp (-rate / f64.i64 n)
        in vs with [i] = f64.max hold (worth i (n - k - 1))
  in values[0] * (1 + 0.1 * xs[4])

-- A cubic spline through points: elimination down and up, in place, then values between.
entry spline (xs: [5]f64) =
  let n = 8i64
  let ys = near xs 2 n
  let h = map (\y -> 1 + 0.2 * y) (near xs 5 (n - 1))
  let right i = 6 * ((ys[i + 1] - ys[i]) / h[i] - (ys[i] - ys[i - 1]) / h[i - 1])
  let (cs, ds) =
    loop (cs: *[n]f64, ds: *[n]f64) = (replicate n 0, replicate n 0)
    for k < n - 2 do
      let i = k + 1
      let m = 2 * (h[i - 1] + h[i]) - h[i - 1] * cs[i - 1]
      let d = (right i - h[i - 1] * ds[i - 1]) / m
      in (cs with [i] = h[i] / m, ds with [i] = d)
  let curves =
    loop (ms: *[n]f64) = replicate n 0
    for k < n - 2 do
      let i = n - 2 - k
      in ms with [i] = ds[i] - cs[i] * ms[i + 1]
  let value t =
    let i = i64.min (i64.f64 t) (n - 2)
    let b = (t - f64.i64 i) * h[i]
    let a = h[i] - b
    in (curves[i] * a ** 3 + curves[i + 1] * b ** 3) / (6 * h[i]) + (ys[i] / h[i] - curves[i] * h[i] / 6) * a
       + (ys[i + 1] / h[i] - curves[i + 1] * h[i] / 6) * b
  in map value [0.3, 1.7, 2.2, 4.9, 6.5]

-- A bound of variational inference: samples through a triangular factor.
entry elbo (xs: [5]f64) =
  let low: [3][3]f64 = tabulate_2d 3 3 (\i j -> if j < i then 0.3 * xs[i + j] else if i == j then f64.exp (0.5 * xs[i]) else 0)
  let sample s =
    let z = map2 (\m row -> m + dot row (map (\j -> f64.cos (f64.i64 (s * 5 + j * 3))) (iota 3))) (take 3 xs) low
    let like = f64.sum (map (\x -> let p = dot z [1, x, x * x] in x * p - f64.log (1 + f64.exp p)) (near xs 2 6))
    in like - 0.5 * dot z z
  in f64.sum (map sample (iota 9)) / 9 + f64.sum (tabulate 3 (\i -> f64.log low[i, i]))

-- Time warping: a table filled in place, the softest path.
entry warped (xs: [5]f64) =
  let (n, m) = (6i64, 7i64)
  let (as, bs) = (near xs 2 n, near xs 3 m)
  let soft a b c = -log_sum [-a, -b, -c]
  let table =
    loop (t: *[n + 1][m + 1]f64) = tabulate_2d (n + 1) (m + 1) (\i j -> if i == 0 && j == 0 then 0 else 20)
    for i < n do
      loop t for j < m do
        let best = soft t[i, j] t[i, j + 1] t[i + 1, j]
        in t with [i + 1, j + 1] = best + (as[i] - bs[j]) ** 2
  in table[n, m]

-- Particles that attract one another and are held in cells of a grid.
entry swarm (xs: [5]f64) =
  let n = 6i64
  let (ps, vs) =
    #[stripmine(2)]
    loop (ps, vs) = (near xs 2 n, replicate n 0)
    for _i < 9i64 do
      let pull p = f64.sum (map (\q -> let d = q - p in d / (0.1 + f64.abs d ** 3)) ps)
      let cell p = i64.max 0 (i64.min 3 (i64.f64 (2 + 2 * p)))
      let heaps = reduce_by_index (replicate 4 0) (+) 0 (map cell ps) (map2 (\p v -> p * p + v) ps vs)
      let vs = map2 (\p v -> v + 0.05 * pull p - 0.01 * heaps[cell p]) ps vs
      in (map2 (\p v -> p + 0.1 * v) ps vs, vs)
  in [dot ps ps, dot vs vs]

-- Light through layers: products of matrices by a scan, thickness by position.
entry layered (xs: [5]f64) =
  let layer i t =
    let (c, s, k) = (f64.cos t, f64.sin t, 1.3 + 0.4 * f64.i64 (i % 2))
    in ((c, s / k), (-k * s, c))
  let times ((a, b), (c, d)) ((e, f), (g, h)) = ((a * e + b * g, a * f + b * h), (c * e + d * g, c * f + d * h))
  let all = scan times ((1, 0), (0, 1)) (map2 layer (iota 10) (near xs 2 10))
  in map (\((a, b), (c, d)) -> (a - d) ** 2 / (1 + b * b + c * c)) all

-- Elements of a mesh add forces to their nodes; a few steps of a solver.
entry assembled (xs: [5]f64) =
  let n = 7i64
  let stiff = map (\x -> 1.5 + x) (near xs 3 (n - 1))
  let apply (u: [n]f64) =
    let forces = map (\e -> stiff[e] * (u[e + 1] - u[e])) (iota (n - 1))
    let sums = reduce_by_index (replicate n 0) (+) 0 (iota (n - 1)) (map f64.neg forces)
    in map2 (+) u (reduce_by_index sums (+) 0 (map (+ 1) (iota (n - 1))) forces)
  let b = near xs 2 n
  let (u, _, _, _) =
    loop (u, r, p, rr) = (replicate n 0, b, b, dot b b)
    for _i < 5i64 do
      let ap = apply p
      let a = rr / dot p ap
      let r' = map2 (\r q -> r - a * q) r ap
      let rr' = dot r' r'
      in (map2 (\u p -> u + a * p) u p, r', map2 (\r p -> r + rr' / rr * p) r' p, rr')
  in u

-- Samples by acceptance: the state of a chain moves where its weight says so.
entry chained (xs: [5]f64) =
  let weight x = f64.exp (-0.5 * (x - xs[0]) ** 2) + 0.3 * f64.exp (-(x + xs[1]) ** 2)
  let (_, sum) =
    loop (x, sum) = (xs[2], 0)
    for i < 20i64 do
      let to = x + f64.sin (f64.i64 (i * 13)) * (1 + 0.1 * xs[3])
      let x = if weight to / weight x > 0.5 + 0.4 * f64.cos (f64.i64 (i * 7)) then to else x
      in (x, sum + x * xs[4])
  in sum

-- Steps whose size follows the error, until the end.
entry adaptive (xs: [5]f64) =
  let f t y = -y * (1 + xs[0] ** 2) + f64.sin (t + xs[1])
  let (_, y, _) =
    loop (t, y, h) = (0, xs[2], 0.1 + 0.01 * xs[3])
    while t < 2 do
      let a = f t y
      let b = f (t + h) (y + h * a)
      let miss = f64.abs (h * (b - a)) / 2 + 1e-9
      in if miss < 0.01
         then (t + h, y + h * (a + b) / 2, h * f64.min 2 (0.9 * f64.sqrt (0.01 / miss)))
         else (t, y, h / 2)
  in y * (1 + xs[4])
