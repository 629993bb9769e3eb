-- Methods with gradients inside, and simulations in time, as people write them. `halo test --derivatives` checks them.

def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)
def near (n: i64) (k: f64) : [n]f64 = tabulate n (\i -> f64.sin (k + 1.7 * f64.i64 i))

-- Balls in a box that push each other away and bounce at the walls; the velocities that bring them to their targets.
-- ==
-- entry: collisions
-- input { [[0.2, 0.3], [0.7, 0.6], [0.5, 0.8]] [[0.4, -0.9], [-0.3, 0.2], [0.9, 0.5]] 12i64 }
entry collisions [n] (places: [n][2]f64) (speeds: [n][2]f64) (steps: i64) : f64 =
  let dt = 0.05
  let push (p: [2]f64) (q: [2]f64): [2]f64 =
    let d = map2 (-) p q
    let r = f64.sqrt (dot d d + 1e-3)
    in if r < 0.4 then map (* (8 * (0.4 - r) / r)) d else [0, 0]
  let (ps, _) =
    loop (ps, vs) = (places, speeds)
    for _i < steps do
      let forces = map (\p -> map (push p) ps |> transpose |> map f64.sum) ps
      let vs = map2 (map2 (\v f -> v + dt * f)) vs forces
      let moved = map2 (map2 (\p v -> p + dt * v)) ps vs
      let vs = map2 (map2 (\p v -> if p < 0 || p > 1 then -0.9 * v else v)) moved vs
      let ps = map (map (\p -> if p < 0 then -p else if p > 1 then 2 - p else p)) moved
      in (ps, vs)
  in f64.sum (map (\p -> (p[0] - 0.5) ** 2 + (p[1] - 0.25) ** 2) ps)

-- A gated recurrent unit over time, a loss at each step.
-- ==
-- entry: gated
-- input { [[0.1, 0.2], [-0.3, 0.5], [0.7, -0.2], [0.0, 0.4]] [0.3, -0.2, 0.1] 0.4 }
entry gated [t] [d] [h] (xs: [t][d]f64) (start: [h]f64) (scale: f64) : f64 =
  let weights k m n: [m][n]f64 = unflatten (map (* scale) (near (m * n) k))
  let (wz, wr, wn) = (weights 1 h d, weights 2 h d, weights 3 h d)
  let (uz, ur, un) = (weights 4 h h, weights 5 h h, weights 6 h h)
  let sigmoid x = 1 / (1 + f64.exp (-x))
  let layer [n] [m] [k] (w: [n][m]f64) (u: [n][k]f64) x y = map2 (\a b -> dot a x + dot b y) w u
  let (_, loss) =
    loop (s, loss) = (start, 0)
    for x in xs do
      let z = map sigmoid (layer wz uz x s)
      let r = map sigmoid (layer wr ur x s)
      let n = map f64.tanh (layer wn un x (map2 (*) r s))
      let s = map3 (\z n s -> (1 - z) * n + z * s) z n s
      in (s, loss + (f64.sum s - x[0]) ** 2)
  in loss

-- Masked attention of two heads, with positions by sines.
-- ==
-- entry: attention
-- input { [[0.1, 0.2, -0.4, 0.3], [0.5, -0.3, 0.2, 0.1], [0.7, 0.1, 0.0, -0.6]] [[0.3, 0.1, -0.2, 0.4], [0.2, -0.5, 0.1, 0.0], [0.1, 0.6, -0.3, 0.2], [0.4, 0.2, 0.3, -0.1]] }
entry attention [n] (xs: [n][4]f64) (w: [4][4]f64) : [n][4]f64 =
  let product [a] [b] [c] (x: [a][b]f64) (y: [b][c]f64): [a][c]f64 = map (\r -> map (dot r) (transpose y)) x
  let xs = map2 (\i -> map2 (\j x -> x + 0.1 * f64.sin (f64.i64 (i * (j + 1)))) (iota 4)) (iota n) xs
  let (q, k, v) = (product xs w, product xs (transpose w), product xs (map (map f64.sin) w))
  let heads (x: [n][4]f64): [2][n][2]f64 = map (\h -> map (\r -> [r[2 * h], r[2 * h + 1]]) x) (iota 2)
  let head (q: [n][2]f64) (k: [n][2]f64) (v: [n][2]f64): [n][2]f64 =
    map2 (\i q ->
            let s = map2 (\j k -> if j > i then -f64.inf else dot q k / f64.sqrt 2) (iota n) k
            let m = f64.maximum s
            let e = map (\x -> f64.exp (x - m)) s
            let p = map (/ f64.sum e) e
            in map (dot p) (transpose v))
         (iota n)
         q
  let made = map3 head (heads q) (heads k) (heads v)
  in map2 (\x i -> map2 (\x j -> x + made[j / 2, i, j % 2]) x (iota 4)) xs (iota n)

-- Rays that march to two spheres and a floor, with a soft shadow; a picture's weight.
-- ==
-- entry: marching
-- input { [0.1, 0.4, 3.0] [0.5, 0.3] 5i64 }
entry marching (centre: [3]f64) (sizes: [2]f64) (n: i64) : f64 =
  let length (p: [3]f64) = f64.sqrt (dot p p)
  let scene (p: [3]f64) =
    let a = length (map2 (-) p centre) - sizes[0]
    let b = length (map2 (-) p [0.6, 0.2, 2.5]) - sizes[1]
    in f64.min (f64.min a b) (p[1] + 0.6)
  let march (from: [3]f64) (d: [3]f64) (steps: i32) =
    loop t = 0.05 for _i < steps do t + 0.9 * scene (map2 (\o d -> o + t * d) from d)
  let normal (p: [3]f64) =
    let g = vjp scene p 1
    in map (/ (length g + 1e-9)) g
  let shade y x =
    let d = [(f64.i64 x - 2) / 6, (f64.i64 y - 2) / 6, 1]
    let d = map (/ length d) d
    let t = march [0, 0, 0] d 24
    let p = map (* t) d
    let light = map (/ f64.sqrt 3) [1, 1, -1f64]
    let shadow =
      (loop (t, s) = (0.1, 1)
       for _i < 8i32 do
         let h = scene (map2 (\p l -> p + t * l) p light)
         in (t + f64.max 0.05 h, f64.min s (f64.max 0 (8 * h / t)))).1
    in f64.exp (-0.2 * t) * (0.2 + shadow * f64.max 0 (dot (normal p) light))
  in f64.sum (map f64.sum (tabulate_2d n n shade))

-- A pendulum on a cart: the controls by steps of descent through the simulation.
-- ==
-- entry: pendulum
-- input { [0.3, -0.1, 0.2, 0.4, -0.2, 0.1, 0.0, 0.3] 3i64 }
entry pendulum [n] (controls: [n]f64) (descents: i64) : [n]f64 =
  let dt = 0.1
  let cost (us: [n]f64) =
    let (a, w, c) =
      loop (a, w, c) = (0.5, 0, 0)
      for u in us do
        let f (a, w) = (w, 9.81 * f64.sin a - 0.1 * w + u * f64.cos a)
        let (a1, w1) = f (a, w)
        let (a2, w2) = f (a + dt / 2 * a1, w + dt / 2 * w1)
        in (a + dt * a2, w + dt * w2, c + dt * (a * a + 0.1 * w * w + 0.01 * u * u))
    in c + 5 * a * a + w * w
  in loop us = controls for _i < descents do map2 (\u g -> u - 0.01 * g) us (vjp cost us 1)

-- Logistic regression by Newton's method: the Hessian column by column, conjugate gradients on products with it.
-- ==
-- entry: newton_cg
-- input { [[0.5, 1.0], [-0.3, 0.8], [0.9, -0.7], [-1.2, 0.4]] [1.0, 0.0, 1.0, 0.0] [0.1, -0.2] 3i64 }
entry newton_cg [n] [d] (xs: [n][d]f64) (ys: [n]f64) (start: [d]f64) (steps: i64) : [d]f64 =
  let loss (w: [d]f64) =
    f64.sum (map2 (\x y ->
                     let z = dot x w
                     in f64.log (1 + f64.exp z) - y * z)
                  xs
                  ys)
    + 0.05 * dot w w
  in loop w = start
     for _i < steps do
       let g = vjp loss w 1
       let product v = jvp (\w -> vjp loss w 1) w v
       let (step, _, _) =
         loop (x, r, p) = (replicate d 0, g, g)
         for _k < d do
           let hp = product p
           let a = dot r r / (dot p hp + 1e-12)
           let x = map2 (\x p -> x + a * p) x p
           let s = map2 (\r q -> r - a * q) r hp
           let b = dot s s / (dot r r + 1e-12)
           in (x, s, map2 (\s p -> s + b * p) s p)
       in map2 (-) w step

-- Hamiltonian Monte Carlo: leapfrog steps along the gradient of a density, accepted or not.
-- ==
-- entry: hamiltonian
-- input { [0.5, -0.8, 1.2] [[0.3, 0.1, -0.4], [-0.2, 0.9, 0.5]] 5i64 }
entry hamiltonian [d] [k] (start: [d]f64) (momenta: [k][d]f64) (leaps: i64) : [k][d]f64 =
  let energy (q: [d]f64) =
    0.5 * dot q q + f64.sum (map (\x -> 0.1 * x ** 4) q)
    + f64.sum (map2 (\a b -> (b - a * a) ** 2) q (rotate 1 q))
  let slope q = vjp energy q 1
  let eps = 0.05
  let (_, kept) =
    loop (q, kept) = (start, replicate k (replicate d 0))
    for i < k do
      let p = map2 (\p g -> p - eps / 2 * g) momenta[i] (slope q)
      let (q1, p1) =
        loop (q, p) = (q, p)
        for _j < leaps do
          let q = map2 (\q p -> q + eps * p) q p
          in (q, map2 (\p g -> p - eps * g) p (slope q))
      let h = energy q + 0.5 * dot momenta[i] momenta[i]
      let h1 = energy q1 + 0.5 * dot p1 p1
      let q = if h - h1 > -0.5 then q1 else q
      in (q, kept with [i] = q)
  in kept

-- The particle filter's weights: samples drawn again by sums of weights, a likelihood.
-- ==
-- entry: filtered
-- input { [0.2, 0.5, 0.1, 0.4] [0.3, -0.1, 0.6, 0.2, 0.0] 0.7 }
entry filtered [t] [n] (seen: [t]f64) (noise: [n]f64) (a: f64) : f64 =
  let (_, ll) =
    loop (ps, ll) = (noise, 0)
    for y in seen do
      let ps = map2 (\p e -> a * f64.sin p + 0.1 * e) ps noise
      let ws = map (\p -> f64.exp (-(y - p) ** 2)) ps
      let total = f64.sum ws
      let sums = scan (+) 0 (map (/ total) ws)
      let pick u = i64.min (n - 1) (i64.sum (map (\s -> i64.bool (s < u)) sums))
      let at = tabulate n (\i -> pick ((f64.i64 i + 0.5) / f64.i64 n))
      in (map (\i -> ps[i]) at, ll + f64.log (total / f64.i64 n))
  in ll
