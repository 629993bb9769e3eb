-- Programs in many styles: records and sums that loops change, stencils by hand, matrices in scans, accumulators,
-- tables, derivatives inside. `halo test --derivatives` checks them.

-- ==
-- entry: rows_changed
-- input { [1.0, 2.0, 0.5, -1.0] [[0.3, 1.0, 2.0, -0.5],[1.0, 0.1, 0.2, 0.3]] }
entry rows_changed [n] [m] (w: [n]f64) (xs: [m][n]f64) =
  map (\r -> let r' = copy r with [0] = r[n - 1] * w[0] let r'' = r' with [n - 1] = f64.sin r'[0] in map2 (*) r'' w) xs

type particle = {pos: (f64, f64), vel: (f64, f64), m: f64}

def force (p: particle) (q: particle) =
  let dx = q.pos.0 - p.pos.0
  let dy = q.pos.1 - p.pos.1
  let d = 0.1 + dx * dx + dy * dy
  let s = q.m / (d * f64.sqrt d)
  in (s * dx, s * dy)

def stepp [n] (ps: [n]particle) =
  map (\p ->
         let fs = map (force p) ps
         let f = reduce (\a b -> (a.0 + b.0, a.1 + b.1)) (0, 0) fs
         let vel = (p.vel.0 + 0.01 * f.0, p.vel.1 + 0.01 * f.1)
         in p with vel = vel with pos = (p.pos.0 + 0.1 * vel.0, p.pos.1 + 0.1 * vel.1))
      ps

-- ==
-- entry: particles
-- input { [1.0, 2.0, 0.5] [0.0, 1.0, 3.0] }
entry particles [n] (xs: [n]f64) (ys: [n]f64) =
  let ps = map2 (\x y -> {pos = (x, y), vel = (y * 0.1, 0), m = 1 + x * x}) xs ys
  let ps = loop ps for _i < 4 do stepp ps
  in map (\p -> p.pos.0 * p.vel.1 + p.m) ps

type shape = #circle f64 | #rect f64 f64 | #none
def area (s: shape) = match s case #circle r -> f64.pi * r * r case #rect a b -> a * b case #none -> 0

-- ==
-- entry: shapes
-- input { [1.0, -2.0, 0.5, -1.0, 0.0] }
entry shapes [n] (xs: [n]f64) =
  let ss = map (\x -> if x > 0 then #circle x else if x < 0 then #rect x (x - 1) else #none) xs
  let grow (s: shape) (k: f64): shape = match s case #circle r -> #rect (r * k) (r + k) case #rect a b -> #circle (a * b * k) case #none -> #circle k
  let ss = loop ss for i < 3 do map2 grow ss (map (\x -> x * 0.1 + f64.i64 i) xs)
  in map area ss

-- ==
-- entry: branches_until
-- input { [1.0, 2.0, 0.5, 3.0] }
entry branches_until [n] (xs: [n]f64) =
  map (\x ->
         let (y, s, _) =
           loop (y, s, k) = (x, 0, 0i32)
           while y > 0.2 && k < 20 do
             if k % 3 == 0 then (y * 0.7, s + y * y, k + 1) else (y * 0.6 + 0.01 * s, s * 0.9, k + 1)
         in s * y)
      xs

-- ==
-- entry: matrix_scan
-- input { [1.0, 2.0, 0.5, 3.0, 1.5] }
entry matrix_scan [n] (xs: [n]f64) =
  let mm (a: f64, b: f64, c: f64, d: f64) (e: f64, f: f64, g: f64, h: f64) = (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
  let rs = scan mm (1, 0, 0, 1) (map (\x -> (f64.cos x, f64.sin x, -f64.sin x, x)) xs)
  in map (\(a, b, c, d) -> a * d - b * c + a) rs

-- ==
-- entry: alternating
-- input { [1.0, 2.0, 0.5, 3.0, 1.5, -1.0] [0.5, 0.2, 0.3] }
entry alternating [n] (xs: [n]f64) (k: [3]f64) =
  loop u = xs
  for i < 5 do
    if i % 2 == 0
    then tabulate n (\j -> k[0] * u[i64.max 0 (j - 1)] + k[1] * u[j] * u[j] * 0.1 + k[2] * u[i64.min (n - 1) (j + 1)])
    else tabulate n (\j -> u[(j + 1) % n] - u[(j + n - 1) % n] * k[1])

-- ==
-- entry: wave_on_a_plate
-- input { [[1.0, 2.0, 0.5],[ 3.0, 1.5, -1.0],[0.2,0.1,0.3]] 0.3 }
entry wave_on_a_plate [n] [m] (a: [n][m]f64) (k: f64) =
  loop (u, v) = (a, map (map (* 0)) a)
  for _i < 4 do
    let get i j = if i < 0 || j < 0 || i >= n || j >= m then 0 else u[i, j]
    let v = tabulate_2d n m (\i j -> v[i, j] + k * (get (i - 1) j + get (i + 1) j + get i (j - 1) + get i (j + 1) - 4 * u[i, j]))
    in (tabulate_2d n m (\i j -> u[i, j] + k * v[i, j] * u[i, j]), v)

-- ==
-- entry: steps_of_cells
-- input { [4.0, 2.0, 1.0, 5.0] }
entry steps_of_cells [n] (xs: [n]f64) =
  let ks = map i64.f64 xs
  in map (\k -> (loop (a, s) = (1, 0) for j < k do (a * xs[j % n] * 0.5, s + a)).1) ks

-- ==
-- entry: swapped
-- input { [4.0, 2.0, 1.0, 5.0] }
entry swapped [n] (xs: [n]f64) =
  (loop (a, b) = (copy xs, copy xs)
   for i < n do
     let t = a[i] * b[n - 1 - i]
     let b[i] = t
     let a = a with [(i + 1) % n] = b[(i + 2) % n] + t
     in (b, a)).0

-- ==
-- entry: warping
-- input { [4.0, 2.0, 1.0, 5.0] }
entry warping [n] (xs: [n]f64) =
  let c =
    loop c = tabulate_2d n n (\i j -> xs[i] + f64.i64 j)
    for i in 1..<n do
      loop c for j in 1..<n do
        c with [i, j] = f64.min c[i - 1, j] (f64.min c[i, j - 1] c[i - 1, j - 1]) * 1.1 + f64.abs (xs[i] - xs[j])
  in c[n - 1]

-- ==
-- entry: log_sum
-- input { [3.0, 1.0, 2.0] }
entry log_sum [n] (xs: [n]f64) =
  let s = reduce (\(m, s) (n, t) -> let k = f64.max m n in (k, s * f64.exp (m - k) + t * f64.exp (n - k))) (f64.lowest, 0) (map (\x -> (x, 1)) xs)
  in s.0 + f64.log s.1

-- ==
-- entry: window_steps
-- input { [1.0, 2.0, 0.5, 3.0, -1.0] 0.1 }
-- input { [1.0] 0.1 }
-- input { empty([0]f64) 0.1 }
entry window_steps [n] (xs: [n]f64) (k: f64) =
  loop u = xs
  for _i < 4 do
    stencil_1d [-2, 0, 1] (\c v -> c * v[0] * v[1] + (1 - c) * v[2]) (rep k) u

-- ==
-- entry: hessian_columns
-- input { [1.0, 2.0, 0.5] }
-- input { [2.0] }
-- input { empty([0]f64) }
entry hessian_columns [n] (xs: [n]f64) =
  let f (ys: [n]f64) = f64.sum (map2 (\y z -> f64.exp (y * z)) ys (rotate 1 ys))
  in tabulate n (\i -> jvp (\ys -> vjp f ys 1) xs (tabulate n (\j -> if i == j then 1 else 0)))

-- ==
-- entry: reverse_twice
-- input { [1.0, 2.0, 0.5] }
-- input { [2.0] }
-- input { empty([0]f64) }
entry reverse_twice [n] (xs: [n]f64) =
  let f (ys: [n]f64) = f64.sum (scan (\a b -> a * b + a) 1 ys)
  in vjp (\ys -> vjp f ys 1) xs (map (\x -> x + 1) xs)

-- ==
-- entry: reverse_of_forward
-- input { [1.0, 2.0, 0.5] }
-- input { empty([0]f64) }
entry reverse_of_forward [n] (xs: [n]f64) =
  let f (ys: [n]f64) = loop y = 1 for i < n do y * ys[i] + f64.sin y
  in vjp (\ys -> jvp f ys ys) xs 1

-- ==
-- entry: unsafe_places
-- input { [1.0, 2.0, 0.5, 7.0] [1i64, 2i64, 7i64, 1i64] }
entry unsafe_places [n] (xs: [n]f64) (is: [n]i64) =
  let f (ds: *[n]f64) = #[unsafe] loop d = ds for j < n do (let i = is[j] % n in d with [i] = d[i] * xs[j])
  in f (map (+ 1) xs)

-- ==
-- entry: matrix_rows
-- input { [1.0, 2.0, 0.5, 7.0] }
entry matrix_rows [n] (xs: [n]f64) =
  let mm (a: [2][2]f64) (b: [2][2]f64) = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
  let id = [[1, 0], [0, 1f64]]
  in scan mm id (map (\x -> [[x, 1], [f64.sin x, 0.5]]) xs)

-- ==
-- entry: inner_steps
-- input { [1.0, 2.0, 0.5, 7.0] 3i64 }
-- input { [1.0, 2.0, 0.5, 7.0] 0i64 }
-- input { [1.0, 2.0, 0.5, 7.0] 1i64 }
entry inner_steps [n] (xs: [n]f64) (k: i64) =
  loop a = copy xs
  for i < k do
    let b = loop b = copy a for j < i + 1 do b with [j % n] = b[j % n] * a[(j + 1) % n] * 0.1
    in map2 (+) a b

-- ==
-- entry: covariance
-- input { [[0.3, 0.2, 0.5],[0.1, 0.6, 0.3]] }
-- input { empty([0][3]f64) }
-- input { empty([2][0]f64) }
entry covariance [n] [m] (a: [n][m]f64) =
  let mean = map (\c -> f64.sum c / f64.i64 (i64.max 1 n)) (transpose a)
  let d = map (\r -> map2 (-) r mean) a
  in map (\i -> map (\j -> f64.sum (map2 (*) (transpose d)[i] (transpose d)[j])) (iota m)) (iota m)

type~ acc 't = intrinsics.acc t
def write [k] 'a (acc: *acc ([k]a)) (i: i64) (v: a) : *acc ([k]a) = intrinsics.acc_write acc i v

-- ==
-- entry: written
-- input { [1.0, 2.0, 0.5, 7.0] }
-- input { empty([0]f64) }
entry written [n] (xs: [n]f64) = intrinsics.scatter_stream (map (* 2) xs) (\(acc: *acc ([n]f64)) i -> write acc i (xs[(i + 1) % n] * xs[i])) (iota n)

-- ==
-- entry: two_places
-- input { [1.0, 2.0, 0.5, 7.0] }
-- input { empty([0]f64) }
entry two_places [n] (xs: [n]f64) =
  intrinsics.hist_stream (map (* 2) xs) (+) 0 (\(acc: *acc ([n]f64)) x -> let i = i64.f64 x in write (write acc i (x * x)) (i + 1) (f64.sin x * xs[0])) xs

-- ==
-- entry: places_of_steps
-- input { [1.0, 2.0, 0.5, 2.5] 3i64 }
entry places_of_steps [n] (xs: [n]f64) (k: i64) =
  loop a = copy xs
  for s < k do
    intrinsics.hist_stream (map (* 0.5) a) (+) 0 (\(acc: *acc ([n]f64)) i -> loop (acc: *acc ([n]f64)) = acc for j < i + 1 do write acc ((j + s) % n) (a[i] * xs[j])) (iota n)

-- ==
-- entry: table
-- input { [1.0, 2.0, 0.5, 2.5] }
entry table [n] (xs: [n]f64) =
  let table = [0.0, 1, 4, 9, 16, 25, 36, 49]
  in map (\x -> let f = f64.floor x let i = i64.f64 f let t = x - f in table[i] * (1 - t) + table[i + 1] * t) xs

-- ==
-- entry: butterfly
-- input { [1.0, 2.0, 0.5, 2.5, 1.1, 0.3, -0.2, 0.7] }
entry butterfly [n] (xs: [n]f64) =
  -- butterfly
  (loop (a, w) = (copy xs, 1i64)
   while w < n do
     (tabulate n (\i -> if (i / w) % 2 == 0 then a[i] + a[i + w] * xs[w] else a[i - w] - a[i] * a[i]), w * 2)).0

-- ==
-- entry: selection_sort
-- input { [3.0, 2.0, 0.5, 2.5] }
entry selection_sort [n] (xs: [n]f64) =
  let s =
    loop s = copy xs
    for i < n - 1 do
      let (j, _) = loop (j, k) = (i, i + 1) while k < n do (if s[k] < s[j] then k else j, k + 1)
      let a = s[i]
      let b = s[j]
      in (s with [i] = b) with [j] = a
  in map2 (*) s (map f64.i64 (iota n))

-- ==
-- entry: powers
-- input { [[1.0, 2.0],[0.5, 2.5]] }
-- input { [[1.0]] }
-- input { empty([0][0]f64) }
entry powers [n] (a: [n][n]f64) =
  let mm (x: [n][n]f64) (y: [n][n]f64) = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose y)) x
  let p = loop p = a for _i < 3 do map2 (map2 (\q r -> q / 2 + r)) (mm p a) a
  in f64.sum (map (\i -> p[i, i]) (iota n))

-- ==
-- entry: descent
-- input { [1.0, 2.0, 0.5] [[1.0, 2.0, 0.5], [2.0,1.0,1.0]] }
entry descent [n] [m] (w: [n]f64) (d: [m][n]f64) =
  let loss (w: [n]f64) = f64.sum (map (\x -> f64.log (1 + f64.exp (-(f64.sum (map2 (*) w x))))) d)
  let step (w: [n]f64) = map2 (\a g -> a - 0.1 * g) w (vjp loss w 1)
  in loop w for _i < 3 do step w

-- ==
-- entry: rosenbrock
-- input { [1.0, 2.0, 0.5] }
entry rosenbrock [n] (xs: [n]f64) =
  let hess (f: [n]f64 -> f64) (x: [n]f64) = tabulate n (\i -> jvp (\y -> vjp f y 1) x (tabulate n (\j -> f64.bool (i == j))))
  in hess (\x -> f64.sum (map2 (\a b -> (1 - a) * (1 - a) + 100 * (b - a * a) ** 2) (take (n - 1) x :> [n - 1]f64) (drop 1 x :> [n - 1]f64))) xs
