-- Learning as written by hand: columns standardised, a mixture of Gaussians, a net of convolutions.
def noise (i: i64) : f32 = f32.i64 ((i * 7919 + 13) % 1009) / 1009 - 0.5
def matrix (n: i64) (m: i64) (s: i64) : [n][m]f32 = tabulate_2d n m (\i j -> noise (i * m + j + s * 31))

-- ==
-- entry: standardise
-- input { 6i64 4i64 3i32 }
-- notest input { 200000i64 64i64 10i32 }

-- | Columns of mean 0 and variance 1, their covariances by indices, the first principal component by powers.
entry standardise (n: i64) (m: i64) (steps: i32) : f32 =
  let xss = matrix n m 1
  let means = map (/ f32.i64 n) (reduce (map2 (+)) (replicate m 0) xss)
  let squares = map (map2 (\mu x -> (x - mu) * (x - mu)) means) xss
  let devs = map f32.sqrt (map (/ f32.i64 n) (reduce (map2 (+)) (replicate m 0) squares))
  let zss = map (map3 (\mu s x -> (x - mu) / s) means devs) xss
  let cov = tabulate_2d m m (\i j -> f32.sum (map (\k -> zss[k, i] * zss[k, j]) (iota n)) / f32.i64 n)
  let v =
    loop v = replicate m 1f32
    for _s < steps do
      let w = map (\r -> f32.sum (map2 (*) r v)) cov
      let l = f32.sqrt (f32.sum (map (\x -> x * x) w))
      in map (/ l) w
  in f32.sum v

-- ==
-- entry: mixture
-- input { 10i64 2i64 3i64 2i32 }
-- notest input { 200000i64 4i64 8i64 10i32 }

-- | Gaussians with variances of their own, by expectation and maximisation.
entry mixture (n: i64) (d: i64) (k: i64) (steps: i32) : f32 =
  let xs = matrix n d 5
  let sumOf [k] (rows: [n][k]f32) = reduce (map2 (+)) (replicate k 0) rows
  let (mus, _, _) =
    loop (mus, vars, pis) = (matrix k d 6, replicate k (replicate d 1f32), replicate k (1 / f32.i64 k))
    for _s < steps do
      let resp =
        map (\x ->
               let score mu var p =
                 f32.log p - 0.5 * f32.sum (map3 (\x m v -> (x - m) * (x - m) / v + f32.log v) x mu var)
               let ls = map3 score mus vars pis
               let top = f32.maximum ls
               let es = map (\l -> f32.exp (l - top)) ls
               let s = f32.sum es
               in map (/ s) es)
            xs
      let ns = sumOf resp
      let mus = map2 (\w n -> map (/ n) (sumOf (map2 (\r x -> map (* r) x) w xs))) (transpose resp) ns
      let spread w mu = sumOf (map2 (\r x -> map2 (\x m -> r * (x - m) * (x - m)) x mu) w xs)
      let vars = map3 (\w n mu -> map (\v -> 1e-6 + v / n) (spread w mu)) (transpose resp) ns mus
      in (mus, vars, map (/ f32.i64 n) ns)
  in f32.sum (map f32.sum mus)

-- | A sum over channels of pictures under windows of three by three cells.
def filters [c] [h] [w] [f] (img: [c][h][w]f32) (ker: [f][c][3][3]f32) =
  map (\fk ->
         tabulate_2d (h - 2) (w - 2) (\i j ->
                                        f32.sum (map2 (\im kk -> f32.sum (map f32.sum (map2 (map2 (*)) (im[i:i + 3, j:j + 3] :> [3][3]f32) kk)))
                                                      img
                                                      fk)))
      ker

-- | The largest of four cells, or 0.
def pool [c] [h] [w] (img: [c][h][w]f32) =
  map (\p ->
         tabulate_2d (h / 2) (w / 2) (\i j ->
                                        let best = f32.max p[2 * i, 2 * j] p[2 * i + 1, 2 * j]
                                        in f32.max best (f32.max 0 (f32.max p[2 * i, 2 * j + 1] p[2 * i + 1, 2 * j + 1]))))
      img

-- ==
-- entry: pictures
-- input { 2i64 8i64 }
-- notest input { 256i64 28i64 }

-- | Two layers of filters over pictures of a few channels, each with a rectifier and the largest of four behind it.
entry pictures (count: i64) (n: i64) : f32 =
  let kernel a b i j = noise (a * 3 + b * 5 + i * 7 + j)
  let k1 = tabulate 6 (\a -> [tabulate_2d 3 3 (kernel a 0)])
  let k2 = tabulate_2d 16 6 (\a b -> tabulate_2d 3 3 (kernel a b))
  let imgs = tabulate count (\p -> [tabulate_2d n n (\i j -> noise (p * 31 + i * 7 + j))])
  let out = map (\img -> pool (filters (pool (filters img k1)) k2)) imgs
  in f32.sum (map (\o -> f32.sum (map f32.sum (map (map f32.sum) o))) out)
