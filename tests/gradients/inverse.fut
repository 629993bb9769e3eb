-- Inverse problems and likelihoods, as people write them. `halo test --derivatives` checks them.

type vec = {x: f64, y: f64, z: f64}
def add (a: vec) (b: vec) : vec = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def scale (k: f64) (a: vec) : vec = {x = k * a.x, y = k * a.y, z = k * a.z}
def sub (a: vec) (b: vec) : vec = add a (scale (-1) b)
def dot (a: vec) (b: vec) : f64 = a.x * b.x + a.y * b.y + a.z * b.z
def vec_of (a: [3]f64) : vec = {x = a[0], y = a[1], z = a[2]}

def logsumexp [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

-- A hidden Markov model: log-probabilities of the states by a scan of matrices over (logsumexp, +).
-- ==
-- entry: hidden
-- input { [[-0.3, -1.2, -2.0], [-1.1, -0.5, -1.9], [-2.1, -0.8, -0.7]] [[-0.2, -1.7], [-0.9, -0.6], [-1.4, -0.3]] [0i64, 1i64, 1i64, 0i64, 1i64] }
entry hidden [k] [s] [t] (moves: [k][k]f64) (emits: [k][s]f64) (seen: [t]i64) : f64 =
  let steps = map (\o -> map (\row -> map2 (\m e -> m + e[o]) row emits) moves) seen
  let product (a: [k][k]f64) (b: [k][k]f64): [k][k]f64 =
    map (\r -> map (\c -> logsumexp (map2 (+) r c)) (transpose b)) a
  let neutral = tabulate_2d k k (\i j -> if i == j then 0 else -1e30)
  let all = scan product neutral steps
  in logsumexp (last all)[0] + 0.1 * f64.sum (map (\m -> logsumexp m[1]) all)

-- A light on spheres: the nearest hit of each ray, Lambert's law, a shadow, one mirror.
-- ==
-- entry: spheres
-- input { [[0.1, 0.2, 3.0, 0.9], [0.9, -0.3, 4.0, 1.1], [-1.2, 0.5, 3.5, 0.6]] [2.0, 3.0, -1.0] 4i64 }
type hit = {t: f64, at: vec, normal: vec}

entry spheres [n] (balls: [n][4]f64) (light: [3]f64) (size: i64) : [size][size]f64 =
  let unit a = scale (1 / f64.sqrt (dot a a)) a
  let meet (o: vec) (d: vec) (b: [4]f64): f64 =
    let c = sub o {x = b[0], y = b[1], z = b[2]}
    let h = dot c d
    let disc = h * h - (dot c c - b[3] * b[3])
    in if disc <= 0
       then f64.inf
       else let t = -h - f64.sqrt disc in if t > 1e-6 then t else f64.inf
  let first o d: (f64, i64) =
    reduce_comm (\(a, i) (b, j) -> if b < a then (b, j) else (a, i))
                (f64.inf, -1)
                (zip (map (meet o d) balls) (indices balls))
  let shade o d: (f64, hit, bool) =
    let (t, i) = first o d
    in if i < 0
       then (0.1 + 0.05 * d.y, {t = 0, at = o, normal = d}, false)
       else let at = add o (scale t d)
            let normal = unit (sub at {x = balls[i, 0], y = balls[i, 1], z = balls[i, 2]})
            let l = sub (vec_of light) at
            let lit = f64.max 0 (dot normal (unit l)) / (1 + 0.1 * dot l l)
            let dark = (first (add at (scale 1e-4 normal)) (unit l)).1 >= 0
            in (if dark then 0.05 else lit, {t, at, normal}, true)
  in tabulate_2d size size (\i j ->
                              let p k = (f64.i64 k + 0.37) / f64.i64 size - 0.5
                              let d = unit {x = 1.3 * p j, y = 1.3 * p i, z = 1}
                              let (c, h, is_hit) = shade {x = 0, y = 0, z = 0} d
                              in if !is_hit
                                 then c
                                 else let r = sub d (scale (2 * dot d h.normal) h.normal)
                                      let (m, _, _) = shade (add h.at (scale 1e-4 h.normal)) r
                                      in 0.7 * c + 0.3 * m)

-- Optical flow by Horn and Schunck: brightness constancy with bilinear warps, a smoothness term.
-- ==
-- entry: flow
-- input { [[0.1, 0.5, 0.9, 0.3], [0.4, 0.8, 0.2, 0.6], [0.7, 0.3, 0.5, 0.1]] [[0.2, 0.4, 0.8, 0.5], [0.3, 0.9, 0.4, 0.5], [0.6, 0.4, 0.4, 0.2]] [[[0.2, 0.3], [0.4, -0.3], [0.3, 0.1], [0.2, -0.6]], [[0.7, 0.2], [-0.4, 0.6], [0.1, 0.9], [0.3, 0.2]], [[-0.1, 0.3], [0.2, -0.7], [0.6, 0.3], [-0.2, -0.4]]] 0.3 }
entry flow [h] [w] (a: [h][w]f64) (b: [h][w]f64) (uv: [h][w][2]f64) (alpha: f64) : f64 =
  let clamp lo hi (x: i64) = i64.max lo (i64.min hi x)
  let at (i: i64) (j: i64) = b[clamp 0 (h - 1) i, clamp 0 (w - 1) j]
  let sample (y: f64) (x: f64) =
    let (i, j) = (i64.f64 (f64.floor y), i64.f64 (f64.floor x))
    let (s, t) = (y - f64.i64 i, x - f64.i64 j)
    in (1 - s) * ((1 - t) * at i j + t * at i (j + 1)) + s * ((1 - t) * at (i + 1) j + t * at (i + 1) (j + 1))
  let data =
    tabulate_2d h w (\i j ->
                       let d = sample (f64.i64 i + uv[i, j, 0]) (f64.i64 j + uv[i, j, 1]) - a[i, j] in f64.sqrt (d * d + 1e-3))
  let smooth =
    tabulate_2d h w (\i j ->
                       let du k = uv[i64.min (h - 1) (i + 1), j, k] - uv[i, j, k]
                       let dv k = uv[i, i64.min (w - 1) (j + 1), k] - uv[i, j, k]
                       in du 0 ** 2 + du 1 ** 2 + dv 0 ** 2 + dv 1 ** 2)
  in f64.sum (flatten data) + alpha * f64.sum (flatten smooth)

-- The mixture of Gaussians with full covariance (lower triangles), weights by a softmax, and a
-- Wishart prior.
-- ==
-- entry: mixture
-- input { [[0.1, 0.7], [1.2, -0.3], [0.4, 0.9], [-0.8, 0.2]] [0.2, -0.3, 0.5] [[0.0, 0.5], [1.0, 0.1], [-0.5, 0.3]] [[0.1, 0.3, -0.2], [0.4, -0.1, 0.2], [-0.3, 0.2, 0.6]] }
entry mixture [n] [d] [k] [l] (xs: [n][d]f64) (alphas: [k]f64) (means: [k][d]f64) (icf: [k][l]f64) : f64 =
  let q (r: [l]f64) (v: [d]f64) =
    tabulate d (\i -> loop s = f64.exp r[i] * v[i] for j < i do s + r[d + i * (i - 1) / 2 + j] * v[j])
  let term x a m r =
    let z = q r (map2 (-) x m)
    in a + f64.sum (take d r) - 0.5 * f64.sum (map (\e -> e * e) z)
  let like = f64.sum (map (\x -> logsumexp (map3 (term x) alphas means icf)) xs)
  let prior =
    map (\r ->
           0.5
           * (f64.sum (map (\e -> f64.exp (2 * e)) (take d r))
              + f64.sum (map (\e -> e * e) (drop d r)))
           - f64.sum (take d r))
        icf
  in like - f64.i64 n * logsumexp alphas - f64.sum prior

-- A neural differential equation with two layers, by Runge and Kutta's method of order 4, and a loss
-- along the way; parameters in a record of one flat array.
-- ==
-- entry: trained
-- input { [0.1, -0.4, 0.3, 0.2, 0.5, -0.2, 0.7, -0.1, 0.3, 0.2, -0.6, 0.4] [[0.5, 0.1], [-0.3, 0.8], [0.2, 0.2]] 6i64 }
entry trained [p] [n] (theta: [p]f64) (starts: [n][2]f64) (steps: i64) : f64 =
  let params = {w = unflatten (theta[0:6] :> [3 * 2]f64), v = unflatten (theta[6:12] :> [2 * 3]f64)}
  let f (y: [2]f64): [2]f64 =
    let h = map (\r -> f64.tanh (r[0] * y[0] + r[1] * y[1])) params.w
    in map (\r -> f64.sum (map2 (*) r h)) params.v
  let axpy a x y = map2 (\x y -> a * x + y) x y
  let dt = 0.1
  let path y =
    loop (y, loss) = (y, 0)
    for i < steps do
      let k1 = f y
      let k2 = f (axpy (dt / 2) k1 y)
      let k3 = f (axpy (dt / 2) k2 y)
      let k4 = f (axpy dt k3 y)
      let y = map3 (\y a b -> y + dt / 6 * (a + b)) y (map2 (+) k1 k4) (map2 (\a b -> 2 * a + 2 * b) k2 k3)
      in (y, loss + (y[0] - f64.cos (f64.i64 i * dt)) ** 2)
  in f64.sum (map (\s -> (path s).1) starts) / f64.i64 n

-- An extended Kalman filter of a pendulum (2 states as a record), its likelihood.
-- ==
-- entry: pendulum
-- input { 9.1 0.05 0.2 [0.4, 0.3, 0.1, -0.1, -0.35, -0.4] }
type cov = {a: f64, b: f64, c: f64}

entry pendulum [t] (g: f64) (q: f64) (r: f64) (seen: [t]f64) : f64 =
  let dt = 0.1
  let step (th: f64, om: f64) = (th + dt * om, om - dt * g * f64.sin th)
  let (_, _, ll) =
    loop (s, p: cov, ll) = ((0.5, 0), {a = 0.1, b = 0, c = 0.1}, 0)
    for z in seen do
      let (th, om) = step s
      let (_, (f11, f21)) = jvp2 step s (1, 0)
      let (_, (f12, f22)) = jvp2 step s (0, 1)
      let (m1, m2, m3, m4) = (f11 * p.a + f12 * p.b, f11 * p.b + f12 * p.c, f21 * p.a + f22 * p.b, f21 * p.b + f22 * p.c)
      let p = {a = m1 * f11 + m2 * f12 + q, b = m1 * f21 + m2 * f22, c = m3 * f21 + m4 * f22 + q}
      let (v, s2) = (z - th, p.a + r)
      let (k1, k2) = (p.a / s2, p.b / s2)
      in ( (th + k1 * v, om + k2 * v)
         , {a = (1 - k1) * p.a, b = (1 - k1) * p.b, c = p.c - k2 * p.b}
         , ll - 0.5 * (f64.log s2 + v * v / s2)
         )
  in ll

-- Planets by symplectic steps; masses found from where they end.
-- ==
-- entry: planets
-- input { [1.0, 0.1, 0.05] [[0.0, 0.0], [1.0, 0.0], [0.0, 1.6]] [[0.0, 0.0], [0.0, 1.0], [-0.8, 0.0]] 8i64 }
entry planets [n] (masses: [n]f64) (xs: [n][2]f64) (vs: [n][2]f64) (steps: i64) : f64 =
  let pull (p: [2]f64) =
    map2 (\q m ->
            let d = map2 (-) q p
            let r2 = d[0] * d[0] + d[1] * d[1] + 1e-2
            in map (\e -> m * e / (r2 * f64.sqrt r2)) d)
  let accelerations xs = map (\p -> reduce (map2 (+)) [0, 0] (pull p xs masses)) xs
  let kick k vs as = map2 (map2 (\v a -> v + k * a)) vs as
  let (xs, vs) =
    loop (xs, vs) = (xs, vs)
    for _i < steps do
      let vs = kick 0.025 vs (accelerations xs)
      let xs = kick 0.05 xs vs
      in (xs, kick 0.025 vs (accelerations xs))
  let kinetic = f64.sum (map2 (\m v -> 0.5 * m * (v[0] ** 2 + v[1] ** 2)) masses vs)
  in kinetic + f64.sum (map (\x -> f64.hypot x[0] x[1]) xs)

-- Soft k-means: a differentiable assignment, then the centres move; unrolled.
-- ==
-- entry: soft_means
-- input { [[0.1, 0.2], [0.9, 0.8], [0.2, 0.1], [0.7, 0.9], [0.5, 0.4]] [[0.3, 0.3], [0.6, 0.7]] 3.0 4i64 }
entry soft_means [n] [k] [d] (xs: [n][d]f64) (cs: [k][d]f64) (beta: f64) (steps: i64) : [k][d]f64 =
  loop cs for _i < steps do
    let dist a b = f64.sum (map2 (\x y -> (x - y) * (x - y)) a b)
    let soft x =
      let s = map (\c -> -beta * dist x c) cs
      let m = f64.maximum s
      let e = map (\v -> f64.exp (v - m)) s
      let z = f64.sum e
      in map (/ z) e
    let ws = map soft xs
    in map (\w ->
              let total = f64.sum w
              in map (\col -> f64.sum (map2 (*) w col) / total) (transpose xs))
           (transpose ws)

-- A lattice-Boltzmann step, two dimensions, nine speeds, bounce-back at obstacles.
-- ==
-- entry: lattice
-- input { [[[0.44, 0.11, 0.12, 0.11, 0.1, 0.03, 0.02, 0.03, 0.03], [0.43, 0.12, 0.11, 0.1, 0.11, 0.03, 0.03, 0.02, 0.03], [0.45, 0.1, 0.11, 0.12, 0.11, 0.02, 0.03, 0.03, 0.03]], [[0.44, 0.11, 0.1, 0.11, 0.12, 0.03, 0.03, 0.03, 0.02], [0.42, 0.12, 0.12, 0.11, 0.11, 0.03, 0.02, 0.03, 0.03], [0.44, 0.11, 0.11, 0.1, 0.12, 0.02, 0.03, 0.03, 0.02]]] 1.2 3i64 }
entry lattice [h] [w] (start: [h][w][9]f64) (omega: f64) (steps: i64) : f64 =
  let cx: [9]i64 = [0, 1, 0, -1, 0, 1, -1, -1, 1]
  let cy: [9]i64 = [0, 0, 1, 0, -1, 1, 1, -1, -1]
  let ws: [9]f64 = [4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36]
  let opposite: [9]i64 = [0, 3, 4, 1, 2, 7, 8, 5, 6]
  let wall i j = (i + 2 * j) % 5 == 3
  let collide (f: [9]f64) =
    let rho = f64.sum f
    let ux = f64.sum (map2 (\c f -> f64.i64 c * f) cx f) / rho
    let uy = f64.sum (map2 (\c f -> f64.i64 c * f) cy f) / rho
    let uu = 1.5 * (ux * ux + uy * uy)
    in map4 (\f w cx cy ->
               let cu = 3 * (f64.i64 cx * ux + f64.i64 cy * uy)
               in f + omega * (rho * w * (1 + cu + 0.5 * cu * cu - uu) - f))
            f
            ws
            cx
            cy
  let fs =
    loop fs = start
    for _i < steps do
      let after = tabulate_2d h w (\i j -> if wall i j then map (\o -> fs[i, j, o]) opposite else collide fs[i, j])
      in tabulate_2d h w (\i j -> map3 (\k cx cy -> after[(i - cy) % h, (j - cx) % w, k]) (iota 9) cx cy)
  in f64.sum (map (\r -> f64.sum (map (\f -> (f[1] - f[3]) ** 2) r)) fs)

-- Cox's proportional hazards: sums over who is still at risk, by a scan from the end; sorted times.
-- ==
-- entry: hazards
-- input { [0.3, -0.2] [[0.5, 1.0], [0.1, -0.3], [0.9, 0.4], [-0.4, 0.7]] [true, false, true, true] }
entry hazards [n] [d] (beta: [d]f64) (xs: [n][d]f64) (died: [n]bool) : f64 =
  let eta = map (\x -> f64.sum (map2 (*) beta x)) xs
  let at_risk = reverse (scan (\a b -> let m = f64.max a b in m + f64.log (f64.exp (a - m) + f64.exp (b - m))) (-1e9) (reverse eta))
  in f64.sum (map3 (\d e r -> if d then e - r else 0) died eta at_risk)
