-- Programs of the targets that ad.fut lacks: fluids on lattices, cross sections of neutrons, sparse k-means, recurrent
-- networks in batches, waves, stencils of one side, products with Hessians. Entries NAME, NAME_gradient, NAME_product.

def made (n: i64) : [n]f32 = tabulate n (\i -> f32.i64 ((i * 7919) % 1021) / 1021 - 0.5)
def made_2d (n: i64) (m: i64) : [n][m]f32 = tabulate_2d n m (\i j -> f32.i64 ((i * 7919 + j * 104729) % 1021) / 1021 - 0.5)
def dot [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)

-- A fluid in a periodic box: 19 directions, collisions as Bhatnagar, Gross and Krook have them.
-- ==
-- entry: lbm lbm_gradient
-- input { 10i64 32i64 }

def directions : [19][3]i64 =
  [ [0, 0, 0]
  , [1, 0, 0]
  , [-1, 0, 0]
  , [0, 1, 0]
  , [0, -1, 0]
  , [0, 0, 1]
  , [0, 0, -1]
  , [1, 1, 0]
  , [-1, -1, 0]
  , [1, -1, 0]
  , [-1, 1, 0]
  , [1, 0, 1]
  , [-1, 0, -1]
  , [1, 0, -1]
  , [-1, 0, 1]
  , [0, 1, 1]
  , [0, -1, -1]
  , [0, 1, -1]
  , [0, -1, 1]
  ]

def weights : [19]f32 = map (\k -> if k == 0 then 1 / 3 else if k < 7 then 1 / 18 else 1 / 36) (iota 19)

def collided (fs: [19]f32) : [19]f32 =
  let along axis = f32.sum (map2 (\d f -> f32.i64 d[axis] * f) directions fs)
  let rho = f32.sum fs
  let (x, y, z) = (along 0 / rho, along 1 / rho, along 2 / rho)
  let relaxed d w f =
    let c = f32.i64 d[0] * x + f32.i64 d[1] * y + f32.i64 d[2] * z
    let equilibrium = w * rho * (1 + 3 * c + 4.5 * c * c - 1.5 * (x * x + y * y + z * z))
    in f + 1.2 * (equilibrium - f)
  in map3 relaxed directions weights fs

def fluid [n] (steps: i64) (start: [19][n][n][n]f32) : [19][n][n][n]f32 =
  loop fs = start
  for _i < steps do
    let moved =
      map2 (\d f -> rotate (-d[0]) (map (\p -> rotate (-d[1]) (map (rotate (-d[2])) p)) f)) directions fs
    let cell z y x = collided (map (\f -> f[z, y, x]) moved)
    let cells = tabulate_3d n n n cell
    in tabulate 19 (\k -> map (map (map (\c -> c[k]))) cells)

def resting (n: i64) : [19][n][n][n]f32 =
  map (\w -> tabulate_3d n n n (\z y x -> w * (1 + 0.01 * f32.i64 ((z * 31 + y * 17 + x) % 13)))) weights

entry lbm (steps: i64) (n: i64) = fluid steps (resting n)
entry lbm_gradient (steps: i64) (n: i64) = vjp (fluid steps) (resting n) (resting n)

-- Cross sections: energies are looked up in a grid of each nuclide of a material, and interpolated.
-- ==
-- entry: cross cross_gradient
-- input { 100000i64 64i64 2048i64 }

def lookup [m] (grid: [m]f32) (e: f32) : i64 =
  (loop (low, high) = (0, m - 1)
   while high - low > 1 do
     let middle = (low + high) / 2
     in if grid[middle] > e then (low, middle) else (middle, high)).0

def sections [k] [m] (n: i64) (grids: [k][m]f32) (xs: [k][m]f32) : f32 =
  let one (i: i64) =
    let e = f32.i64 ((i * 7919) % 10007) / 10007
    let first = i * 31 % (k - 11)
    in loop sum = 0
       for j < 12i64 do
         let grid = grids[first + j]
         let at = lookup grid e
         let t = (e - grid[at]) / (grid[at + 1] - grid[at])
         in sum + (1 - t) * xs[first + j, at] + t * xs[first + j, at + 1]
  in f32.sum (map one (iota n))

def grids (k: i64) (m: i64) : [k][m]f32 = replicate k (tabulate m (\i -> f32.i64 i / f32.i64 (m - 1)))
entry cross (n: i64) (k: i64) (m: i64) = sections n (grids k m) (made_2d k m)
entry cross_gradient (n: i64) (k: i64) (m: i64) = vjp (sections n (grids k m)) (made_2d k m) 1

-- Cross sections by poles: each lookup sums the poles of a window, in complex numbers.
-- ==
-- entry: poles poles_gradient
-- input { 100000i64 64i64 256i64 }

def resonances [k] [m] (n: i64) (poles: [k][m][4]f32) : f32 =
  let one (i: i64) =
    let e = f32.sqrt (0.1 + f32.i64 ((i * 7919) % 10007) / 10007)
    let nuclide = i * 31 % k
    let first = i * 17 % (m - 8)
    in loop sum = 0
       for j < 8i64 do
         let p = poles[nuclide, first + j]
         let (a, b) = (p[0] + 2 - e, p[1] + 0.7)
         in sum + (p[2] * a + p[3] * b) / ((a * a + b * b) * e)
  in f32.sum (map one (iota n))

def all_poles (k: i64) (m: i64) = map (\r -> map (\x -> [x, x * x, 0.3 - x, x + 0.1]) r) (made_2d k m)
entry poles (n: i64) (k: i64) (m: i64) = resonances n (all_poles k m)
entry poles_gradient (n: i64) (k: i64) (m: i64) = vjp (resonances n) (all_poles k m) 1

-- k-means of sparse rows: the squares of all centres, less twice the products with what a row has.
-- ==
-- entry: sparse sparse_gradient
-- input { 20000i64 64i64 10i64 }

def sparse_cost [n] [k] [d] [e] (starts: [n]i64) (columns: [e]i64) (values: [e]f32) (centres: [k][d]f32) : f32 =
  let squares = map (\c -> dot c c) centres
  let row i =
    let last = if i == n - 1 then e else starts[i + 1]
    let own = loop s = 0 for j in starts[i]..<last do s + values[j] * values[j]
    let distance c s = own + s - 2 * (loop s = 0 for j in starts[i]..<last do s + values[j] * c[columns[j]])
    in f32.minimum (map2 distance centres squares)
  in f32.sum (map row (iota n))

def scattered (n: i64) (d: i64) =
  let e = n * 32
  in (map (* 32) (iota n), tabulate e (\i -> (i * 7919) % d), made e)

entry sparse (n: i64) (d: i64) (k: i64) =
  let (starts, columns, values) = scattered n d
  in sparse_cost starts columns values (made_2d k d)

entry sparse_gradient (n: i64) (d: i64) (k: i64) =
  let (starts, columns, values) = scattered n d
  in vjp (sparse_cost starts columns values) (made_2d k d) 1

-- A long short-term memory in batches: (d, t, h, b).
-- ==
-- entry: lstm lstm_gradient
-- input { 32i64 10i64 64i64 32i64 }

def remembered [t] [b] [d] [h] (xs: [t][b][d]f32) (w: [4][h][d]f32, u: [4][h][h]f32, bias: [4][h]f32) : f32 =
  let sigmoid x = 1 / (1 + f32.exp (-x))
  let product [n] [m] (w: [n][m]f32) (x: [b][m]f32) = map (\x -> map (dot x) w) x
  let gate k f x s =
    map2 (map3 (\bias a c -> f (a + c + bias)) bias[k]) (product w[k] x) (product u[k] s)
  let (_, s, sum) =
    loop (c, s, sum) = (replicate b (replicate h 0), replicate b (replicate h 0), 0)
    for x in xs do
      let (i, f, o) = (gate 0 sigmoid x s, gate 1 sigmoid x s, gate 2 sigmoid x s)
      let g = gate 3 f32.tanh x s
      let c = map2 (map2 (+)) (map2 (map2 (*)) f c) (map2 (map2 (*)) i g)
      let s = map2 (map2 (\o c -> o * f32.tanh c)) o c
      in (c, s, sum + f32.sum (map f32.sum s))
  in sum + f32.sum (map f32.sum s)

def cells (h: i64) (d: i64) : [4][h][d]f32 = map (\k -> map (map (* (0.1 + 0.01 * f32.i64 k))) (made_2d h d)) (iota 4)
def batch (t: i64) (b: i64) (d: i64) : [t][b][d]f32 = map (\k -> map (map (* (1 + 0.1 * f32.i64 k))) (made_2d b d)) (iota t)
entry lstm (d: i64) (t: i64) (h: i64) (b: i64) = remembered (batch t b d) (cells h d, cells h h, made_2d 4 h)

entry lstm_gradient (d: i64) (t: i64) (h: i64) (b: i64) =
  vjp (remembered (batch t b d)) (cells h d, cells h h, made_2d 4 h) 1

-- Waves through a field of velocities, and the gradient by the field; the product with its Hessian.
-- ==
-- entry: wave wave_gradient wave_product
-- input { 100i64 256i64 }

def travelled (steps: i64) (n: i64) (start: [n][n]f32) (speeds: [n][n]f32) : f32 =
  let offsets = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
  let laplace a = stencil_2d offsets (\() v -> v[1] + v[2] + v[3] + v[4] - 4 * v[0]) (rep (rep ())) a
  let (_, last) =
    #[checkpoint(64)]
    loop (old, now) = (start, start)
    for _i < steps do
      (now, map4 (map4 (\o a c l -> 2 * a - o + c * c * l)) old now speeds (laplace now))
  in f32.sum (map (\row -> dot row row) last)

def speeds (n: i64) = map (map (\x -> 0.4 + 0.1 * x)) (made_2d n n)
entry wave (steps: i64) (n: i64) = travelled steps n (made_2d n n) (speeds n)
entry wave_gradient (steps: i64) (n: i64) = vjp (travelled steps n (made_2d n n)) (speeds n) 1

entry wave_product (steps: i64) (n: i64) =
  jvp (\c -> vjp (travelled steps n (made_2d n n)) c 1) (speeds n) (made_2d n n)

-- Linear steps whose adjoints need folds at clamped borders, beside one whose adjoint does not (heat of ad.fut).
-- ==
-- entry: upwind upwind_gradient wide wide_gradient
-- input { 100i64 512i64 }

def upwind_steps (steps: i64) (n: i64) (start: [n][n]f32) : [n][n]f32 =
  let offsets = [(0, 0), (-1, 0), (0, -1), (-1, -1), (-2, 0)]
  let cell () v = v[0] - 0.2 * (v[0] - v[1]) - 0.1 * (v[0] - v[2]) + 0.01 * v[3] - 0.01 * v[4]
  in loop a = start for _i < steps do stencil_2d offsets cell (rep (rep ())) a

def wide_steps (steps: i64) (n: i64) (start: [n][n]f32) : [n][n]f32 =
  let offsets = [(0, 0), (-2, 0), (2, 0), (0, -2), (0, 2)]
  let cell () v = v[0] + 0.1 * (v[1] + v[2] + v[3] + v[4] - 4 * v[0])
  in loop a = start for _i < steps do stencil_2d offsets cell (rep (rep ())) a

entry upwind (steps: i64) (n: i64) = upwind_steps steps n (made_2d n n)
entry upwind_gradient (steps: i64) (n: i64) = vjp (upwind_steps steps n) (made_2d n n) (made_2d n n)
entry wide (steps: i64) (n: i64) = wide_steps steps n (made_2d n n)
entry wide_gradient (steps: i64) (n: i64) = vjp (wide_steps steps n) (made_2d n n) (made_2d n n)

-- A Gaussian mixture's product with its Hessian.
-- ==
-- entry: mixture mixture_gradient mixture_product
-- input { 5000i64 32i64 25i64 }

def likelihood [n] [k] [d] (points: [n][d]f32) (weights: [k]f32, means: [k][d]f32, scales: [k][d]f32) : f32 =
  let term p w m s = w + f32.sum s - 0.5 * f32.sum (map3 (\x a b -> ((x - a) * f32.exp b) ** 2) p m s)
  let log_sum xs =
    let most = f32.maximum xs
    in most + f32.log (f32.sum (map (\x -> f32.exp (x - most)) xs))
  in f32.sum (map (\p -> log_sum (map3 (term p) weights means scales)) points)

def parameters (k: i64) (d: i64) = (made k, made_2d k d, made_2d k d)
entry mixture (n: i64) (d: i64) (k: i64) = likelihood (made_2d n d) (parameters k d)
entry mixture_gradient (n: i64) (d: i64) (k: i64) = vjp (likelihood (made_2d n d)) (parameters k d) 1

entry mixture_product (n: i64) (d: i64) (k: i64) =
  jvp (\at -> vjp (likelihood (made_2d n d)) at 1) (parameters k d) (parameters k d)

-- Sums of floats by bins: many cells, uniform or one that nearly all meet. The same in integers needs no order.
-- ==
-- entry: bins_uniform bins_hot bins_whole
-- input { 4194304i64 65536i64 }

def binned (k: i64) (n: i64) (place: i64 -> i64) : [k]f32 =
  reduce_by_index (replicate k 0) (+) 0 (map place (iota n)) (map (\i -> f32.i64 (i % 1021)) (iota n))

entry bins_uniform (n: i64) (k: i64) = binned k n (\i -> (i * 7919) % k)
entry bins_hot (n: i64) (k: i64) = binned k n (\i -> if i % 16 == 0 then (i * 7919) % k else 3)

entry bins_whole (n: i64) (k: i64) : [k]i32 =
  reduce_by_index (replicate k 0) (+) 0 (map (\i -> (i * 7919) % k) (iota n)) (map i32.i64 (iota n))

-- For the interpreter: a loop of scalars, forward and back.
-- ==
-- entry: chain chain_forward chain_gradient
-- input { 100000i64 }
def chained (n: i64) (x: f64) : f64 = loop y = x for _i < n do y * 0.999 + x
entry chain (n: i64) = chained n 0.5
entry chain_forward (n: i64) = jvp (chained n) 0.5 1
entry chain_gradient (n: i64) = vjp (chained n) 0.5 1
