-- Programs and their gradients (`NAME`, `NAME_gradient`), for bench/ad/run. Data are made in the program
-- from a few arguments, by one cheap map each.

def made (n: i64) : [n]f32 =
  tabulate n (\i -> f32.i64 ((i * 7919 + 13) % 1021) / 1021 + 0.5)

def made_2d (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 7919 + j * 104729) % 1021) / 1021)

-- Products, their running products, matrices of two rows, linear functions.

-- ==
-- entry: reduce_add reduce_add_gradient reduce_mul reduce_mul_gradient scan_add scan_add_gradient scan_mul scan_mul_gradient scan_linear scan_linear_gradient scan_mat2 scan_mat2_gradient scan_segments scan_segments_gradient
-- input { 1000000i64 }

def near (n: i64) : [n]f32 = map (\x -> 1 + (x - 1) / 1000000) (made n)

def adding [n] (xs: [n]f32) : f32 = f32.sum xs
def multiplying [n] (xs: [n]f32) : f32 = f32.product xs
def running [n] (xs: [n]f32) : [n]f32 = scan (+) 0 xs
def products [n] (xs: [n]f32) : [n]f32 = scan (*) 1 xs

def linear [n] (xs: [n]f32) : [n]f32 =
  map (.1) (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\x -> (x, x)) xs))

def matrices [n] (xs: [n]f32) : [n]f32 =
  let op (a, b, c, d) (p, q, r, s) = (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s)
  in map (.1) (scan op (1, 0, 0, 1) (map (\x -> (x, 0.000001 * x, 0, x)) xs))

def within [n] (xs: [n]f32) : [n]f32 =
  map (.1) (scan (\(f, a) (g, b) -> (f || g, if g then b else a * b))
                 (false, 1)
                 (map2 (\i x -> (i % 100 == 0, x)) (iota n) xs))

entry reduce_add (n: i64) = adding (near n)
entry reduce_add_gradient (n: i64) = vjp adding (near n) 1
entry reduce_mul (n: i64) = multiplying (near n)
entry reduce_mul_gradient (n: i64) = vjp multiplying (near n) 1
entry scan_add (n: i64) = running (near n)
entry scan_add_gradient (n: i64) = vjp running (near n) (made n)
entry scan_mul (n: i64) = products (near n)
entry scan_mul_gradient (n: i64) = vjp products (near n) (made n)
entry scan_linear (n: i64) = linear (near n)
entry scan_linear_gradient (n: i64) = vjp linear (near n) (made n)
entry scan_mat2 (n: i64) = matrices (near n)
entry scan_mat2_gradient (n: i64) = vjp matrices (near n) (made n)
entry scan_segments (n: i64) = within (near n)
entry scan_segments_gradient (n: i64) = vjp within (near n) (made n)

-- Histograms of 1024 bins.

-- ==
-- entry: hist_add hist_add_gradient hist_min hist_min_gradient hist_mul hist_mul_gradient
-- input { 1000000i64 }

def bins (n: i64) : [n]i64 = map (\i -> (i * 7919) % 1024) (iota n)

def hist_by [n] (op: f32 -> f32 -> f32) (neutral: f32) (xs: [n]f32) : [1024]f32 =
  hist op neutral 1024 (bins n) xs

entry hist_add (n: i64) = hist_by (+) 0 (near n)
entry hist_add_gradient (n: i64) = vjp (hist_by (+) 0) (near n) (made 1024)
entry hist_min (n: i64) = hist_by f32.min f32.inf (near n)
entry hist_min_gradient (n: i64) = vjp (hist_by f32.min f32.inf) (near n) (made 1024)
entry hist_mul (n: i64) = hist_by (*) 1 (near n)
entry hist_mul_gradient (n: i64) = vjp (hist_by (*) 1) (near n) (made 1024)

-- Time steps: heat (linear: nothing is recorded), a nonlinear one with states recorded or kept.

-- ==
-- entry: heat heat_gradient burgers burgers_gradient burgers_checkpoint
-- input { 100i64 512i64 }

def heat_steps (steps: i64) (n: i64) (start: [n][n]f32) : [n][n]f32 =
  let offsets = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
  let cell () v = v[0] + 0.2 * (v[1] + v[2] + v[3] + v[4] - 4 * v[0])
  in loop a = start for _i < steps do stencil_2d offsets cell (rep (rep ())) a

def burgers_cell () (v: [5]f32) : f32 =
  v[0] - 0.1 * v[0] * (v[0] - v[1]) - 0.1 * v[0] * (v[0] - v[3])
  + 0.05 * (v[1] + v[2] + v[3] + v[4] - 4 * v[0])

def burgers_offsets : [5](i64, i64) = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]

def burgers_steps (steps: i64) (n: i64) (start: [n][n]f32) : [n][n]f32 =
  loop a = start for _i < steps do stencil_2d burgers_offsets burgers_cell (rep (rep ())) a

def burgers_kept (steps: i64) (n: i64) (start: [n][n]f32) : [n][n]f32 =
  #[checkpoint(16)]
  loop a = start for _i < steps do stencil_2d burgers_offsets burgers_cell (rep (rep ())) a

entry heat (steps: i64) (n: i64) = heat_steps steps n (made_2d n n)
entry heat_gradient (steps: i64) (n: i64) = vjp (heat_steps steps n) (made_2d n n) (made_2d n n)
entry burgers (steps: i64) (n: i64) = burgers_steps steps n (made_2d n n)
entry burgers_gradient (steps: i64) (n: i64) = vjp (burgers_steps steps n) (made_2d n n) (made_2d n n)
entry burgers_checkpoint (steps: i64) (n: i64) = vjp (burgers_kept steps n) (made_2d n n) (made_2d n n)

-- Learning: k-means (Newton's direction), mixtures of Gaussians, one layer of neurons.

-- ==
-- entry: kmeans kmeans_gradient
-- input { 20000i64 35i64 5i64 }

def cost [n] [k] [d] (points: [n][d]f32) (centres: [k][d]f32) : f32 =
  let distance p c = f32.sum (map2 (\a b -> (a - b) * (a - b)) p c)
  in f32.sum (map (\p -> f32.minimum (map (distance p) centres)) points)

entry kmeans (n: i64) (d: i64) (k: i64) = cost (made_2d n d) (made_2d k d)

entry kmeans_gradient (n: i64) (d: i64) (k: i64) =
  let f = cost (made_2d n d)
  let g cs = vjp f cs 1
  in jvp2 g (made_2d k d) (replicate k (replicate d 1))

-- ==
-- entry: gmm gmm_gradient
-- input { 5000i64 32i64 25i64 }

def likelihood [n] [k] [d] (points: [n][d]f32) (weights: [k]f32, means: [k][d]f32, scales: [k][d]f32) : f32 =
  let term p w m s = w + f32.sum s - 0.5 * f32.sum (map3 (\x a b -> ((x - a) * f32.exp b) ** 2) p m s)
  let log_sum xs =
    let most = f32.maximum xs
    in most + f32.log (f32.sum (map (\x -> f32.exp (x - most)) xs))
  in f32.sum (map (\p -> log_sum (map3 (term p) weights means scales)) points)

entry gmm (n: i64) (d: i64) (k: i64) =
  likelihood (made_2d n d) (made k, made_2d k d, made_2d k d)

entry gmm_gradient (n: i64) (d: i64) (k: i64) =
  vjp (likelihood (made_2d n d)) (made k, made_2d k d, made_2d k d) 1

-- ==
-- entry: layer layer_gradient
-- input { 256i64 256i64 256i64 }

def activate [n] [m] [k] (inputs: [n][m]f32) (weights: [m][k]f32, bias: [k]f32) : f32 =
  let dot a b = f32.sum (map2 (*) a b)
  let rows = map (\x -> map2 (\w b -> f32.tanh (dot x w + b)) (transpose weights) bias) inputs
  in f32.sum (map (\row -> f32.sum (map (\y -> y * y) row)) rows)

entry layer (n: i64) (m: i64) (k: i64) = activate (made_2d n m) (made_2d m k, made k)

entry layer_gradient (n: i64) (m: i64) (k: i64) =
  vjp (activate (made_2d n m)) (made_2d m k, made k) 1

-- Models of the ADBench family (models.fut), in f64: Jacobians of all observations, of a hand's pose by
-- columns, the gradient of a recurrent network.

import "models"

def made_f64 (n: i64) (m: i64) : [n][m]f64 =
  tabulate_2d n m (\i j -> f64.i64 ((i * 7919 + j * 104729) % 1021) / 1021)

-- ==
-- entry: bundle bundle_gradient
-- input { 100i64 10000i64 100000i64 }

def scene (n: i64) (m: i64) (p: i64) =
  let cameras = map (\c -> map2 (+) [0, 0, 0, 0, 0, -4, 1, 0, 0, 0, 0] (map (* 0.1) c)) (made_f64 n 11)
  let seen = tabulate p (\i -> (i % n, (i * 7919) % m, [0.1, 0.2]))
  in (seen, (cameras, made_f64 m 3, replicate p 1f64))

entry bundle (n: i64) (m: i64) (p: i64) = let (seen, at) = scene n m p in copy (residuals seen at)
entry bundle_gradient (n: i64) (m: i64) (p: i64) = let (seen, at) = scene n m p in copy (residual_rows seen at)

-- ==
-- entry: hand hand_gradient hand_between hand_between_gradient
-- input { 544i64 10000i64 }

def pose = flatten (made_f64 26 1) :> [26]f64
def skin (v: i64) = tabulate_2d v 15 (\v b -> if b == v % 15 then 0.44 else 0.04f64)
def corners (v: i64) (p: i64) : [p][3]i64 = map (\i -> [i % v, (i * 3 + 1) % v, (i * 7 + 2) % v]) (iota p)

entry hand (v: i64) (p: i64) =
  copy (distances (skin v) (made_f64 v 3) (made_f64 p 3) (map (% v) (iota p)) pose)

entry hand_gradient (v: i64) (p: i64) =
  copy (distance_columns (skin v) (made_f64 v 3) (made_f64 p 3) (map (% v) (iota p)) pose)

entry hand_between (v: i64) (p: i64) =
  copy (between (skin v) (made_f64 v 3) (made_f64 p 3) (corners v p) (pose, made_f64 p 2))

entry hand_between_gradient (v: i64) (p: i64) =
  copy (between_columns (skin v) (made_f64 v 3) (made_f64 p 3) (corners v p) (pose, made_f64 p 2))

-- ==
-- entry: network network_gradient
-- input { 20i64 4i64 4096i64 }

def gates (l: i64) (c: i64) (k: f64) : [l][4][c]f64 =
  tabulate_3d l 4 c (\i j m -> f64.i64 ((i * 7919 + j * 104729 + m * 31) % 1021) / 1021 * k - 0.3)

def sequence (n: i64) (c: i64) : [n][c]f64 = tabulate_2d n c (\i j -> f64.bool ((i * 17 + j) % 29 == 0))

entry network (n: i64) (l: i64) (c: i64) =
  loss (sequence n c) (gates l c 0.7, gates l c 0.5, made_f64 3 c)

entry network_gradient (n: i64) (l: i64) (c: i64) =
  copy (vjp (loss (sequence n c)) (gates l c 0.7, gates l c 0.5, made_f64 3 c) 1)
