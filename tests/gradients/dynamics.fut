-- Systems in time as people write them. `halo test --derivatives` checks them.

def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)
def apply [n] [m] (a: [n][m]f64) (x: [m]f64) : [n]f64 = map (dot x) a

def product [n] [m] [k] (a: [n][m]f64) (b: [m][k]f64) : [n][k]f64 =
  map (\row -> map (dot row) (transpose b)) a

def identity (n: i64) : [n][n]f64 = tabulate_2d n n (\i j -> f64.bool (i == j))

-- A neural differential equation: two layers as the right-hand side, by steps of Runge and Kutta.
-- ==
-- entry: neural_ode
-- input { [[0.3, -0.2], [0.5, 0.1], [-0.4, 0.6]] [[0.2, 0.1, -0.3], [0.4, -0.5, 0.2]] [0.1, 0.0, -0.1] [1.0, 0.5] 6i64 }
entry neural_ode [h] [d] (w: [h][d]f64) (v: [d][h]f64) (b: [h]f64) (start: [d]f64) (steps: i64) : [d]f64 =
  let slope (y: [d]f64) = apply v (map2 (\x b -> f64.tanh (x + b)) (apply w y) b)
  let dt = 1 / f64.i64 steps
  let moved (y: [d]f64) (k: [d]f64) (t: f64) = map2 (\y k -> y + t * k) y k
  in loop y = start
     for _i < steps do
       let k1 = slope y
       let k2 = slope (moved y k1 (dt / 2))
       let k3 = slope (moved y k2 (dt / 2))
       let k4 = slope (moved y k3 dt)
       in map5 (\y a b c d -> y + dt / 6 * (a + 2 * b + 2 * c + d)) y k1 k2 k3 k4

-- Steps of their own size, by two solutions of different order.
-- ==
-- entry: adaptive
-- input { 1.3 0.4 [1.0, 0.1] }
entry adaptive (mu: f64) (stop: f64) (start: [2]f64) : ([2]f64, f64) =
  let slope (y: [2]f64) = [y[1], mu * (1 - y[0] * y[0]) * y[1] - y[0]]
  let (_, y, h) =
    loop (t, y, h) = (0, start, 0.1)
    while t < stop do
      let h = f64.min h (stop - t)
      let k1 = slope y
      let euler = map2 (\y k -> y + h * k) y k1
      let k2 = slope euler
      let heun = map3 (\y a b -> y + h / 2 * (a + b)) y k1 k2
      let error = f64.maximum (map2 (\a b -> f64.abs (a - b)) euler heun)
      let next = 0.9 * h * f64.sqrt (0.001 / error)
      in if error < 0.002 then (t + h, heun, next) else (t, y, next)
  in (y, h)

-- A filter of Kalman: predictions and corrections of a state, the likelihood of what is seen.
-- ==
-- entry: kalman
-- input { [[1.0, 0.1], [0.0, 0.9]] [1.0, 0.2] 0.05 0.3 [0.1, 0.4, 0.3, 0.9, 1.2] }
entry kalman [d] [t] (f: [d][d]f64) (h: [d]f64) (q: f64) (r: f64) (seen: [t]f64) : (f64, [d]f64) =
  let (total, x, _) =
    loop (total, x, p) = (0, replicate d 0, identity d)
    for z in seen do
      let x = apply f x
      let p = map2 (map2 (\a b -> a + q * b)) (product (product f p) (transpose f)) (identity d)
      let ph = apply p h
      let s = dot h ph + r
      let gain = map (/ s) ph
      let e = z - dot h x
      let x = map2 (\x g -> x + g * e) x gain
      let p = map2 (\row g -> map2 (\p ph -> p - g * ph) row ph) p gain
      in (total - 0.5 * (f64.log s + e * e / s), x, p)
  in (total, x)

-- Bodies under gravity, their energy behind steps of Verlet.
-- ==
-- entry: bodies
-- input { [[0.0, 0.0], [1.0, 0.2], [-0.4, 1.5]] [[0.0, 0.1], [0.3, -0.2], [0.1, 0.1]] [1.0, 0.5, 2.0] 4i64 }
entry bodies [n] (xs: [n][2]f64) (vs: [n][2]f64) (ms: [n]f64) (steps: i64) : f64 =
  let pull (xs: [n][2]f64) =
    map (\x ->
           let each =
             map2 (\y m ->
                     let d = map2 (-) y x
                     let r2 = dot d d + 0.01
                     in map (* (m / (r2 * f64.sqrt r2))) d)
                  xs
                  ms
           in map f64.sum (transpose each))
        xs
  let (xs, vs) =
    loop (xs, vs) = (xs, vs)
    for _i < steps do
      let vs = map2 (map2 (\v a -> v + 0.05 * a)) vs (pull xs)
      let xs = map2 (map2 (\x v -> x + 0.1 * v)) xs vs
      in (xs, map2 (map2 (\v a -> v + 0.05 * a)) vs (pull xs))
  let kinetic = f64.sum (map2 (\m v -> 0.5 * m * dot v v) ms vs)
  let pairs =
    map (\i ->
           f64.sum (map (\j ->
                           let d = map2 (-) xs[i] xs[j]
                           in if j <= i then 0 else ms[i] * ms[j] / f64.sqrt (dot d d + 0.01))
                        (iota n)))
        (iota n)
  in kinetic - f64.sum pairs

-- A field of conductivities from what a nonlinear equation of heat leaves; few states are kept.
-- ==
-- entry: inversion
-- input { [1.0, 0.5, 0.8, 1.2, 0.9] [0.0, 1.0, 0.3, 0.0, 0.2] [0.1, 0.4, 0.4, 0.2, 0.2] 9i64 }
entry inversion [n] (k: [n]f64) (start: [n]f64) (seen: [n]f64) (steps: i64) : f64 =
  let step (u: [n]f64) =
    tabulate n (\i ->
                  let l = i64.max 0 (i - 1)
                  let r = i64.min (n - 1) (i + 1)
                  let flux a b = 0.5 * (k[a] + k[b]) * (1 + u[a] * u[a]) * (u[b] - u[a])
                  in u[i] + 0.1 * (flux i l + flux i r))
  let last = #[checkpoint(3)] loop u = start for _i < steps do step u
  in 0.5 * f64.sum (map2 (\u s -> (u - s) * (u - s)) last seen)

-- The exponential of a matrix: its series at a part of it, squared again and again.
-- ==
-- entry: exponential
-- input { [[0.1, 1.2], [-0.7, 0.3]] }
-- input { [[0.1, 0.2, 0.0], [0.5, -0.3, 1.0], [2.0, 0.0, 0.4]] }
entry exponential [n] (a: [n][n]f64) : [n][n]f64 =
  let small = map (map (/ 8)) a
  let (sum, _) =
    loop (sum, term) = (identity n, identity n)
    for k < 8 do
      let term = map (map (/ f64.i64 (k + 1))) (product term small)
      in (map2 (map2 (+)) sum term, term)
  in loop e = sum for _i < 3 do product e e

-- A powers of a matrix by the bits of the exponent.
-- ==
-- entry: powers
-- input { [[0.9, 0.2], [-0.1, 0.8]] 11i64 }
entry powers [n] (a: [n][n]f64) (k: i64) : [n][n]f64 =
  let (r, _, _) =
    loop (r, b, k) = (identity n, a, k)
    while k > 0 do
      (if k % 2 == 1 then product r b else r, product b b, k / 2)
  in r

-- A population of particles that are thinned: resampled places are no part of the derivative.
-- ==
-- entry: particles
-- input { 0.9 0.2 [0.1, 0.5, 0.3] [0.0, 0.3, -0.2, 0.6] }
entry particles [t] [n] (a: f64) (s: f64) (seen: [t]f64) (start: [n]f64) : f64 =
  let (total, _) =
    loop (total, xs) = (0, start)
    for z in seen do
      let xs = map2 (\i x -> a * x + s * f64.sin (f64.i64 i + 10 * z)) (iota n) xs
      let ws = map (\x -> f64.exp (-0.5 * (x - z) * (x - z))) xs
      let sum = f64.sum ws
      let ends = scan (+) 0 (map (/ sum) ws)
      let chosen = map (\i -> i64.sum (map (\e -> i64.bool (e < (f64.i64 i + 0.5) / f64.i64 n)) ends)) (iota n)
      in (total + f64.log (sum / f64.i64 n), map (\i -> xs[i64.min i (n - 1)]) chosen)
  in total
