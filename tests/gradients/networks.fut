-- Networks, pictures and optimisation as people write them. `halo test --derivatives` checks them.

def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)
def apply [n] [m] (a: [n][m]f64) (x: [m]f64) : [n]f64 = map (dot x) a

def softmax [n] (xs: [n]f64) : [n]f64 =
  let most = f64.maximum xs
  let es = map (\x -> f64.exp (x - most)) xs
  in map (/ f64.sum es) es

def layer_norm [n] (xs: [n]f64) : [n]f64 =
  let mean = f64.sum xs / f64.i64 n
  let var = f64.sum (map (\x -> (x - mean) * (x - mean)) xs) / f64.i64 n
  in map (\x -> (x - mean) / f64.sqrt (var + 1e-5)) xs

-- A block of a transformer: attention of several heads that look back, norms, two layers.
-- ==
-- entry: transformer
-- input { [[0.5, -0.5, 0.1, 0.3], [1.0, 0.25, -0.2, 0.4], [-0.75, 0.5, 0.6, -0.1]]
--   [[[0.1, 0.2, 0.0, -0.1], [0.3, -0.4, 0.2, 0.1]], [[0.2, 0.1, -0.3, 0.4], [0.5, 0.0, 0.1, -0.2]], [[0.1, -0.1, 0.4, 0.2], [0.0, 0.3, -0.2, 0.1]]] }
entry transformer [t] [d] [h] (xs: [t][d]f64) (ws: [3][h][d]f64) : f64 =
  let normed = map layer_norm xs
  let (qs, ks, vs) = (map (apply ws[0]) normed, map (apply ws[1]) normed, map (apply ws[2]) normed)
  let mixed =
    map2 (\i q ->
            let scores = map2 (\j k -> if j <= i then dot q k / f64.sqrt (f64.i64 h) else -1e9) (iota t) ks
            in map (dot (softmax scores)) (transpose vs))
         (iota t)
         qs
  let gelu x = 0.5 * x * (1 + f64.tanh (0.79788456 * (x + 0.044715 * x * x * x)))
  in f64.sum (map (\m -> f64.sum (map gelu m)) mixed)

-- Two convolutions with several channels, a maximum of squares between, classes at the end.
-- ==
-- entry: conv_net
-- input { [[1.0, 2.0, 0.5, -1.0], [0.0, 1.0, 2.0, 0.25], [3.0, 1.0, 1.0, 0.5], [0.5, 0.2, 0.1, 0.7]]
--   [[[0.5, 0.25, 0.1], [0.125, -0.5, 0.2], [0.3, 0.1, -0.2]], [[-0.5, 0.1, 0.4], [0.25, 0.5, -0.1], [0.3, -0.3, 0.2]]]
--   [[0.1, 0.2], [0.5, -0.3], [-0.4, 0.1]] 1i64 }
entry conv_net [h] [w] [c] [k] (image: [h][w]f64) (filters: [c][3][3]f64) (classes: [k][c]f64) (label: i64) : f64 =
  let at (i: i64) (j: i64) = if i < 0 || i >= h || j < 0 || j >= w then 0 else image[i, j]
  let seen =
    map (\f ->
           tabulate_2d h w (\i j ->
                              let products = tabulate_2d 3 3 (\a b -> f[a, b] * at (i + a - 1) (j + b - 1))
                              in f64.max 0 (f64.sum (flatten products))))
        filters
  let pooled =
    map (\s ->
           tabulate_2d (h / 2) (w / 2) (\i j ->
                                          f64.max (f64.max s[2 * i, 2 * j] s[2 * i, 2 * j + 1])
                                                  (f64.max s[2 * i + 1, 2 * j] s[2 * i + 1, 2 * j + 1])))
        seen
  let means = map (\p -> f64.sum (flatten p) / f64.i64 (h * w / 4)) pooled
  in -f64.log (softmax (apply classes means))[label]

-- A network on a graph: messages along edges are added up at their ends.
-- ==
-- entry: graph_net
-- input { [[0.1, 0.2], [0.5, -0.3], [-0.4, 0.1]] [0i64, 1i64, 2i64, 0i64] [1i64, 2i64, 0i64, 2i64] [[0.3, -0.2], [0.1, 0.5]] 3i64 }
entry graph_net [n] [d] [e] (nodes: [n][d]f64) (from: [e]i64) (to: [e]i64) (w: [d][d]f64) (rounds: i64) : [n][d]f64 =
  loop x = nodes
  for _i < rounds do
    let sent = map (\i -> map f64.tanh (apply w x[i])) from
    let got = reduce_by_index (replicate n (replicate d 0)) (map2 (+)) (replicate d 0) to sent
    in map2 (map2 (\a b -> 0.5 * a + b)) x got

-- A flow of couplings with the logarithm of its volume.
-- ==
-- entry: flow
-- input { [[0.3, -0.7], [1.2, 0.4]] [[0.5, 0.1], [-0.3, 0.2], [0.7, -0.4]] }
entry flow [n] [l] (points: [n][2]f64) (layers: [l][2]f64) : f64 =
  f64.sum (map (\p ->
                  let (x, y, volume) =
                    loop (x, y, volume) = (p[0], p[1], 0)
                    for w in layers do
                      let s = f64.tanh (w[0] * x)
                      in (y * f64.exp s + w[1] * x, x, volume + s)
                  in volume - 0.5 * (x * x + y * y))
               points)

-- A distance field is marched along rays; where a ray ends, the normal gives the light.
-- ==
-- entry: marched
-- input { [0.1, -0.2, 4.0] 1.2 0.3 3i64 }
entry marched (centre: [3]f64) (radius: f64) (bump: f64) (n: i64) : [n][n]f64 =
  let field (p: [3]f64) =
    let d = map2 (-) p centre
    in f64.min (f64.sqrt (dot d d) - radius + bump * f64.sin (3 * p[0]) * f64.sin (3 * p[1])) (p[1] + 1.5)
  in tabulate_2d n n (\i j ->
                        let ray = [0.4 * f64.i64 (i - n / 2), 0.4 * f64.i64 (j - n / 2), 1]
                        let unit = map (/ f64.sqrt (dot ray ray)) ray
                        let (t, _) =
                          loop (t, k) = (0, 0)
                          while k < 12 && field (map (* t) unit) > 1e-4 do
                            (t + 0.8 * field (map (* t) unit), k + 1i64)
                        let p = map (* t) unit
                        let slope a = field (map2 (\b x -> if a == b then x + 1e-3 else x) (iota 3) p) - field p
                        let normal = tabulate 3 slope
                        in normal[2] / f64.sqrt (dot normal normal + 1e-9) + t)

-- Adam on a small problem, unrolled: how the end depends on the rate.
-- ==
-- entry: adam
-- input { 0.1 [1.0, -0.5, 2.0] 5i64 }
entry adam [n] (rate: f64) (start: [n]f64) (steps: i64) : f64 =
  let cost (x: [n]f64) = f64.sum (map2 (\i x -> (x - 1) * (x - 1) * f64.i64 (i + 1) + f64.cos x) (iota n) x)
  let (x, _, _) =
    loop (x, m, v) = (start, replicate n 0, replicate n 0)
    for k < steps do
      let g = vjp cost x 1
      let m = map2 (\m g -> 0.9 * m + 0.1 * g) m g
      let v = map2 (\v g -> 0.99 * v + 0.01 * g * g) v g
      let (c, d) = (1 - 0.9 ** f64.i64 (k + 1), 1 - 0.99 ** f64.i64 (k + 1))
      in (map3 (\x m v -> x - rate * (m / c) / (f64.sqrt (v / d) + 1e-3)) x m v, m, v)
  in cost x

-- Words as sums of vectors, drawn from a table; pairs that were never seen count against it.
-- ==
-- entry: embeddings
-- input { [[0.1, 0.3], [0.5, -0.2], [-0.4, 0.6], [0.2, 0.2]] [0i64, 1i64, 3i64] [1i64, 2i64, 0i64] [[2i64, 3i64], [0i64, 0i64], [1i64, 2i64]] }
entry embeddings [n] [d] [p] [k] (table: [n][d]f64) (words: [p]i64) (near: [p]i64) (far: [p][k]i64) : f64 =
  let squash x = f64.log (1 / (1 + f64.exp (-x)))
  in f64.sum (map3 (\w c fs ->
                      squash (dot table[w] table[c])
                      + f64.sum (map (\f -> squash (-dot table[w] table[f])) fs))
                   words
                   near
                   far)

-- A cell with gates over a sequence of its own length.
-- ==
-- entry: gated
-- input { [[0.1, 0.4, -0.2, 0.5], [0.3, -0.1, 0.2, 0.6]] [4i64, 2i64] [0.5, 0.1, -0.3, 0.2, 0.4, 0.7] }
entry gated [b] [t] (xs: [b][t]f64) (lengths: [b]i64) (w: [6]f64) : [b]f64 =
  let sigmoid x = 1 / (1 + f64.exp (-x))
  in map2 (\x n ->
             loop h = 0
             for i < n do
               let z = sigmoid (w[0] * x[i] + w[1] * h)
               let r = sigmoid (w[2] * x[i] + w[3] * h)
               let c = f64.tanh (w[4] * x[i] + w[5] * r * h)
               in (1 - z) * h + z * c)
          xs
          lengths

-- Blocks of an image moved by flows, with weights of the four cells around.
-- ==
-- entry: warp
-- input { [[1.0, 2.0, 0.5], [0.0, 1.0, 2.0], [3.0, 1.0, 1.0]] [[0.2, 0.7, 0.3], [0.1, 0.4, 0.6], [0.5, 0.9, 0.2]] [[0.3, 0.1, 0.2], [0.8, 0.2, 0.5], [0.4, 0.6, 0.1]] }
entry warp [h] [w] (image: [h][w]f64) (dy: [h][w]f64) (dx: [h][w]f64) : [h][w]f64 =
  tabulate_2d h w (\i j ->
                     let (y, x) = (f64.i64 i + dy[i, j], f64.i64 j + dx[i, j])
                     let (fy, fx) = (f64.floor y, f64.floor x)
                     let (a, b) = (i64.f64 fy, i64.f64 fx)
                     let (p, q) = (y - fy, x - fx)
                     let at r c = image[i64.min (h - 1) r, i64.min (w - 1) c]
                     in (1 - p) * ((1 - q) * at a b + q * at a (b + 1))
                        + p * ((1 - q) * at (a + 1) b + q * at (a + 1) (b + 1)))

-- Transport between two clouds by Sinkhorn's steps.
-- ==
-- entry: sinkhorn
-- input { [0.1, 0.9, 1.7] [0.3, 1.2] 0.5 4i64 }
entry sinkhorn [n] [m] (xs: [n]f64) (ys: [m]f64) (eps: f64) (steps: i64) : f64 =
  let cost = map (\x -> map (\y -> (x - y) * (x - y)) ys) xs
  let kernel = map (map (\c -> f64.exp (-c / eps))) cost
  let (u, v) =
    loop (_, v) = (replicate n 1, replicate m 1)
    for _i < steps do
      let u = map (\row -> 1 / (f64.i64 n * dot row v)) kernel
      in (u, map (\col -> 1 / (f64.i64 m * dot col u)) (transpose kernel))
  in f64.sum (map3 (\u ks cs -> u * f64.sum (map3 (\k c v -> k * c * v) ks cs v)) u kernel cost)
