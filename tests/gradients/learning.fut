-- Programs of ADBench and machine learning. `halo test --derivatives` checks them.

def dot [n] (xs: [n]f64) (ys: [n]f64) = f64.sum (map2 (*) xs ys)

def logsumexp [n] (xs: [n]f64) =
  let top = f64.maximum xs
  in f64.log (f64.sum (map (\x -> f64.exp (x - top)) xs)) + top

-- A mixture of Gaussians: logarithms of weights, means, logarithms of the diagonals of inverse
-- square roots of covariances, what stands below the diagonals, points.
-- ==
-- entry: gmm
-- input { [0.2, 0.3, -0.1] [[0.0, 1.0], [1.0, -1.0], [0.5, 0.5]] [[0.1, 0.2], [-0.1, 0.3], [0.0, 0.1]]
--   [[0.3], [0.1], [-0.2]] [[0.5, 1.0], [1.5, -0.5], [0.0, 0.25], [-1.0, 0.75]] }
entry gmm [k] [d] [l] [n]
          (alphas: [k]f64)
          (means: [k][d]f64)
          (qs: [k][d]f64)
          (ls: [k][l]f64)
          (xs: [n][d]f64) : f64 =
  let lower (q: [d]f64) (l: [l]f64) (v: [d]f64) =
    tabulate d (\i ->
                  (loop s = f64.exp q[i] * v[i] for j < i do s + l[i * (i - 1) / 2 + j] * v[j]))
  let one x =
    logsumexp (map4 (\alpha mean q l ->
                       let y = lower q l (map2 (-) x mean)
                       in alpha + f64.sum q - 0.5 * dot y y)
                    alphas
                    means
                    qs
                    ls)
  in f64.sum (map one xs) - f64.i64 n * logsumexp alphas

-- One step of Newton's method: the gradient by reverse mode, the diagonal of the Hessian by forward
-- mode of it.
-- ==
-- entry: kmeans
-- input { [[0.0, 1.0], [1.0, -1.0]] [[0.5, 1.0], [1.5, -0.5], [0.0, 0.25], [-1.0, 0.75]] }
entry kmeans [k] [d] [n] (centres: [k][d]f64) (points: [n][d]f64) : [k][d]f64 =
  let cost (cs: [k][d]f64) =
    f64.sum (map (\p -> f64.minimum (map (\c -> dot (map2 (-) p c) (map2 (-) p c)) cs)) points)
  let (gradient, curvature) = jvp2 (\cs -> vjp cost cs 1) centres (replicate k (replicate d 1))
  in map3 (map3 (\c g h -> c - g / h)) centres gradient curvature

-- Gates of input, forgetting, output and the new value, by steps of a sequence.
-- ==
-- entry: lstm
-- input { [[[0.1, -0.2], [0.3, 0.1]], [[0.2, 0.2], [-0.1, 0.4]], [[0.0, 0.3], [0.1, 0.1]], [[0.5, -0.1], [0.2, 0.3]]]
--   [[0.1, 0.2], [0.0, -0.1], [0.3, 0.1], [0.2, 0.2]] [[0.5, -0.5], [1.0, 0.25], [-0.75, 0.5]] }
entry lstm [d] [t] (weights: [4][d][d]f64) (biases: [4][d]f64) (inputs: [t][d]f64) : f64 =
  let sigmoid (x: f64) = 1 / (1 + f64.exp (-x))
  let apply (g: i64) (f: f64 -> f64) (v: [d]f64): [d]f64 =
    map2 (\row b -> f (dot row v + b)) weights[g] biases[g]
  let (h, c) =
    loop (h, c) = (replicate d 0, replicate d 0)
    for x in inputs do
      let v = map2 (+) x h
      let c =
        map4 (\i f c z -> i * z + f * c)
             (apply 0 sigmoid v)
             (apply 1 sigmoid v)
             c
             (apply 3 f64.tanh v)
      in (map2 (\o c -> o * f64.tanh c) (apply 2 sigmoid v) c, c)
  in dot h h + f64.sum c

-- ==
-- entry: attention
-- input { [[0.5, -0.5], [1.0, 0.25], [-0.75, 0.5]] [[0.1, 0.2], [0.3, -0.4]] }
entry attention [n] [d] (xs: [n][d]f64) (w: [d][d]f64) : [n][d]f64 =
  let times [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64): [n][p]f64 =
    map (\r -> map (dot r) (transpose b)) a
  let q = times xs w
  let softmax (xs: [n]f64) =
    let es = map (\x -> f64.exp (x - f64.maximum xs)) xs let s = f64.sum es in map (/ s) es
  in times (map softmax (times q (transpose xs))) xs

-- ==
-- entry: convolution
-- input { [[1.0, 2.0, 0.5, -1.0], [0.0, 1.0, 2.0, 0.25], [3.0, 1.0, 1.0, 0.5]] [[0.5, 0.25], [0.125, -0.5]] }
entry convolution [h] [w] [a] [b] (image: [h][w]f64) (kernel: [a][b]f64) : [h][w]f64 =
  tabulate_2d h w (\i j ->
                     f64.sum (flatten (tabulate_2d a b (\k l ->
                                                          let (y, x) = (i + k, j + l)
                                                          in if y < h && x < w then image[y, x] * kernel[k, l] else 0))))
