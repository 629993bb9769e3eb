-- Statistics and linear algebra as people write them. `halo test --derivatives` checks them.

def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)

def logsum [n] (xs: [n]f64) : f64 =
  let most = f64.maximum xs
  in most + f64.log (f64.sum (map (\x -> f64.exp (x - most)) xs))

-- The forward algorithm of a hidden Markov model, in logarithms.
-- ==
-- entry: forward_algorithm
-- input { [0.1, -0.4] [[-0.3, -1.2], [-0.9, -0.5]] [[-0.5, -1.0, -1.5], [-1.3, -0.4, -1.9]] [0i64, 2i64, 1i64, 1i64] }
entry forward_algorithm [k] [s] [t] (start: [k]f64) (moves: [k][k]f64) (emits: [k][s]f64) (seen: [t]i64) : f64 =
  let first = map2 (\p e -> p + e[seen[0]]) start emits
  let last =
    loop alpha = first
    for i < t - 1 do
      map2 (\column e -> logsum (map2 (+) alpha column) + e[seen[i + 1]]) (transpose moves) emits
  in logsum last

-- The best path (Viterbi) by products of matrices of maximum and sum.
-- ==
-- entry: viterbi
-- input { [0.1, -0.4] [[-0.3, -1.2], [-0.9, -0.5]] [[-0.5, -1.0], [-1.3, -0.4], [-0.2, -2.0], [-1.0, -0.1]] }
entry viterbi [k] [t] (start: [k]f64) (moves: [k][k]f64) (scores: [t][k]f64) : f64 =
  let best (a: [k][k]f64) (b: [k][k]f64) = map (\row -> map (\col -> f64.maximum (map2 (+) row col)) (transpose b)) a
  let steps = map (\score -> map (\row -> map2 (+) row score) moves) scores
  let none = tabulate_2d k k (\i j -> if i == j then 0 else -f64.inf)
  let all = reduce best none steps
  in f64.maximum (map2 (\s row -> s + f64.maximum row) start all)

-- The same as a loop that keeps the places it came from, and goes back along them.
-- ==
-- entry: best_path
-- input { [0.1, -0.4] [[-0.3, -1.2], [-0.9, -0.5]] [[-0.5, -1.0], [-1.3, -0.4], [-0.2, -2.0], [-1.0, -0.1]] }
entry best_path [k] [t] (start: [k]f64) (moves: [k][k]f64) (scores: [t][k]f64) : (f64, [t]f64) =
  let best (a: (f64, i64)) (b: (f64, i64)) = if b.0 > a.0 then b else a
  let (delta, from) =
    loop (delta, from) = (start, replicate t (replicate k 0))
    for i < t do
      let found = map (\column -> reduce best (-f64.inf, 0) (zip (map2 (+) delta column) (iota k))) (transpose moves)
      in (map2 (\(d, _) s -> d + s) found scores[i], from with [i] = map (.1) found)
  let (score, last) = reduce best (-f64.inf, 0) (zip delta (iota k))
  let (path, _) =
    loop (path, at) = (replicate t 0, last)
    for i < t do
      let j = t - 1 - i
      in (path with [j] = scores[j, at], from[j, at])
  in (score, path)

-- A Gaussian process: the likelihood by the factor of Cholesky, column by column.
-- ==
-- entry: gaussian_process
-- input { [0.0, 0.4, 1.1, 1.5] [0.1, 0.5, 0.3, -0.2] 0.7 1.2 0.1 }
entry gaussian_process [n] (xs: [n]f64) (ys: [n]f64) (length: f64) (scale: f64) (noise: f64) : f64 =
  let kernel i j =
    let d = (xs[i] - xs[j]) / length
    in scale * f64.exp (-0.5 * d * d) + (if i == j then noise else 0)
  let a = tabulate_2d n n kernel
  let l =
    loop l = replicate n (replicate n 0)
    for j < n do
      let rest = tabulate n (\i -> a[i, j] - dot l[i] l[j])
      let root = f64.sqrt rest[j]
      let column = tabulate n (\i -> if i < j then 0 else rest[i] / root)
      in map2 (\row c -> copy row with [j] = c) l column
  let z =
    loop z = replicate n 0
    for i < n do
      z with [i] = (ys[i] - dot l[i] z) / l[i, i]
  let log_det = f64.sum (tabulate n (\i -> f64.log l[i, i]))
  in -0.5 * dot z z - log_det - 0.5 * f64.i64 n * f64.log (2 * f64.pi)

-- The factor of Cholesky element by element, in place.
-- ==
-- entry: cholesky
-- input { [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]] }
entry cholesky [n] (a: [n][n]f64) : [n][n]f64 =
  loop l = replicate n (replicate n 0)
  for i < n do
    loop l = l
    for j < i + 1 do
      let s = loop s = a[i, j] for k < j do s - l[i, k] * l[j, k]
      in l with [i, j] = (if i == j then f64.sqrt s else s / l[j, j])

-- A natural cubic spline through points, at many places.
-- ==
-- entry: spline
-- input { [0.0, 1.0, 2.5, 3.0, 4.2] [1.0, 0.3, 0.8, -0.2, 0.4] [0.2, 1.7, 2.6, 4.0] }
entry spline [n] [m] (xs: [n]f64) (ys: [n]f64) (at: [m]f64) : [m]f64 =
  let h = tabulate (n - 1) (\i -> xs[i + 1] - xs[i])
  let slope i = (ys[i + 1] - ys[i]) / h[i]
  let (c, d) =
    loop (c, d) = (replicate n 0, replicate n 0)
    for i in 1...n - 2 do
      let w = 2 * (h[i - 1] + h[i]) - h[i - 1] * c[i - 1]
      let r = 6 * (slope i - slope (i - 1))
      in (c with [i] = h[i] / w, d with [i] = (r - h[i - 1] * d[i - 1]) / w)
  let second =
    loop s = replicate n 0
    for k < n - 2 do
      let i = n - 2 - k
      in s with [i] = d[i] - c[i] * s[i + 1]
  in map (\x ->
            let i = i64.min (n - 2) (i64.sum (map (\y -> i64.bool (y <= x)) xs) - 1)
            let (a, b) = ((xs[i + 1] - x) / h[i], (x - xs[i]) / h[i])
            in a * ys[i] + b * ys[i + 1]
               + ((a * a * a - a) * second[i] + (b * b * b - b) * second[i + 1]) * h[i] * h[i] / 6)
         at

-- Logistic regression with a penalty, by Newton's steps; equations by Gauss with pivots.
def solve [n] (a: [n][n]f64) (b: [n]f64) : [n]f64 =
  let rows = map2 (\row x -> row ++ [x]) a b
  let done =
    loop m = rows
    for i < n do
      let (_, p) =
        reduce (\(x, i) (y, j) -> if y > x then (y, j) else (x, i))
               (-1, i)
               (map (\r -> (if r < i then -1 else f64.abs m[r, i], r)) (iota n))
      let pivot = map (/ m[p, i]) m[p]
      in map (\r ->
                if r == i
                then pivot
                else let row = if r == p then m[i] else m[r]
                     in map2 (\x y -> x - row[i] * y) row pivot)
             (iota n)
  in map last done

-- ==
-- entry: logistic
-- input { [[1.0, 0.2], [0.5, -1.0], [-0.3, 0.8], [2.0, 0.1]] [1.0, 0.0, 1.0, 0.0] 0.3 }
entry logistic [n] [d] (xs: [n][d]f64) (ys: [n]f64) (penalty: f64) : [d]f64 =
  loop w = replicate d 0
  for _i < 3 do
    let ps = map (\x -> 1 / (1 + f64.exp (-dot w x))) xs
    let gradient = map2 (\column w -> dot column (map2 (-) ps ys) + penalty * w) (transpose xs) w
    let hessian =
      tabulate_2d d d (\i j ->
                         f64.sum (map2 (\x p -> x[i] * x[j] * p * (1 - p)) xs ps)
                         + (if i == j then penalty else 0))
    in map2 (-) w (solve hessian gradient)

-- The largest eigenvalue by powers, and the quotient of Rayleigh.
-- ==
-- entry: eigenvalue
-- input { [[2.0, 0.5, 0.1], [0.5, 1.0, 0.3], [0.1, 0.3, 0.5]] }
entry eigenvalue [n] (a: [n][n]f64) : f64 =
  let v =
    loop v = replicate n 1
    for _i < 6 do
      let w = map (dot v) a
      in map (/ f64.sqrt (dot w w)) w
  in dot v (map (dot v) a)

-- Conjugate gradients until the residual is small.
-- ==
-- entry: conjugate
-- input { [[4.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 2.0]] [1.0, 2.0, 0.5] }
entry conjugate [n] (a: [n][n]f64) (b: [n]f64) : [n]f64 =
  let (x, _, _, _) =
    loop (x, r, p, k) = (replicate n 0, b, b, 0)
    while k < n && dot r r > 1e-12 do
      let ap = map (dot p) a
      let rr = dot r r
      let alpha = rr / dot p ap
      let x = map2 (\x p -> x + alpha * p) x p
      let s = map2 (\r q -> r - alpha * q) r ap
      let p = map2 (\r p -> r + dot s s / rr * p) s p
      in (x, s, p, k + 1)
  in x

-- Weights of a histogram by distance: each point counts in two bins.
-- ==
-- entry: soft_histogram
-- input { [0.2, 1.4, 2.7, 0.9, 3.4] [1.0, 2.0, 0.5, 1.5, 0.7] }
entry soft_histogram [n] (xs: [n]f64) (ws: [n]f64) : [5]f64 =
  let low = map (\x -> i64.f64 (f64.floor x)) xs
  let part = map (\x -> x - f64.floor x) xs
  let left = reduce_by_index (replicate 5 0) (+) 0 low (map2 (\w p -> w * (1 - p)) ws part)
  in reduce_by_index left (+) 0 (map (+ 1) low) (map2 (*) ws part)

-- Distances of words: the edit distance with soft costs, row by row.
-- ==
-- entry: soft_edit
-- input { [0.1, 0.5, 0.9] [0.2, 0.4, 0.8, 0.3] 0.6 }
entry soft_edit [n] [m] (a: [n]f64) (b: [m]f64) (gap: f64) : f64 =
  let first = tabulate (m + 1) (\j -> gap * f64.i64 j)
  let last =
    loop row = first
    for i < n do
      let next = replicate (m + 1) (row[0] + gap)
      in loop next = next
         for j < m do
           let costs = [row[j] + (a[i] - b[j]) * (a[i] - b[j]), row[j + 1] + gap, next[j] + gap]
           in next with [j + 1] = -logsum (map f64.neg costs)
  in last[m]
