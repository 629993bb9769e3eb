-- Adjoints at borders: the dot product of both modes is one number.

def noise (seed: i64) (i: i64) : f64 = f64.i64 ((i * 37 + seed * 11 + i * i % 23) % 16 - 7)

def dot [n] (xs: [n]f64) (ys: [n]f64) = f64.sum (map2 (*) xs ys)

def agree_1d [n] (f: [n]f64 -> [n]f64) : bool =
  let some seed = tabulate n (noise seed)
  let (point, direction, weights) = (some 1, some 2, some 3)
  in dot (jvp f point direction) weights == dot direction (vjp f point weights)

def agree_2d [n] [m] (f: [n][m]f64 -> [n][m]f64) : bool =
  let some seed = tabulate_2d n m (\i j -> noise seed (i * 19 + j))
  let (point, direction, weights) = (some 1, some 2, some 3)
  in dot (flatten (jvp f point direction)) (flatten weights)
     == dot (flatten direction) (flatten (vjp f point weights))

def agree_3d [n] [m] [k] (f: [n][m][k]f64 -> [n][m][k]f64) : bool =
  let at seed i j l = noise seed (i * 41 + j * 19 + l)
  let some seed = tabulate_3d n m k (at seed)
  let (point, direction, weights) = (some 1, some 2, some 3)
  in dot (flatten_3d (jvp f point direction)) (flatten_3d weights)
     == dot (flatten_3d direction) (flatten_3d (vjp f point weights))

-- One direction, both directions with other weights, two and three cells far, no own cell; equal weights two cells far.
-- ==
-- entry: lines
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
-- input { 3i64 } output { true }
-- input { 4i64 } output { true }
-- input { 7i64 } output { true }
-- input { 600i64 } output { true }
entry lines (n: i64) =
  let none = replicate n ()
  let f1 (xs: [n]f64) = stencil_1d [-1, 0] (\() v -> v[1] - v[1] * (v[1] - v[0])) none xs
  let f2 (xs: [n]f64) = stencil_1d [-1, 0, 1] (\() v -> 3 * v[0] - v[1] * v[2]) none xs
  let f3 (xs: [n]f64) = stencil_1d [2, -2, 1] (\() v -> 5 * v[0] + v[1] * v[2]) none xs
  let f4 (xs: [n]f64) = stencil_1d [-3, 3, 2, -1] (\() v -> v[0] * v[1] + v[2] * v[3]) none xs
  let f5 (xs: [n]f64) = stencil_1d [-2, -1, 0, 1, 2] (\() v -> v[0] + v[1] + 2 * v[2] + v[3] + v[4]) none xs
  let f6 (xs: [n]f64) = stencil_1d_with #mirror [-2, 1] (\() v -> v[0] * v[1]) none xs
  in agree_1d f1 && agree_1d f2 && agree_1d f3 && agree_1d f4 && agree_1d f5 && agree_1d f6

-- Steps of one field and of two.
-- ==
-- entry: steps
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
-- input { 5i64 } output { true }
-- input { 600i64 } output { true }
entry steps (n: i64) =
  let none = replicate n ()
  let upwind (xs: [n]f64) = loop xs for _i < 3 do stencil_1d [-1, 0] (\() v -> 3 * v[1] - 2 * v[0]) none xs
  let far (xs: [n]f64) = loop xs for _i < 3 do stencil_1d [-2, 1] (\() v -> v[1] - 2 * v[0]) none xs
  let fields (xs: [n]f64) =
    let (ys, zs) =
      loop (ys, zs) = (xs, xs)
      for _i < 2 do
        unzip (stencil_1d [-1, 0] (\() v -> (v[1].0 - v[0].1, 2 * v[1].1 + v[0].0)) none (zip ys zs))
    in map2 (+) ys zs
  in agree_1d upwind && agree_1d far && agree_1d fields

-- Corners, axes with other boundaries, an even axis beside an uneven one.
-- ==
-- entry: planes
-- input { 0i64 3i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 1i64 4i64 } output { true }
-- input { 2i64 3i64 } output { true }
-- input { 3i64 2i64 } output { true }
-- input { 5i64 7i64 } output { true }
-- input { 40i64 35i64 } output { true }
entry planes (n: i64) (m: i64) =
  let none = replicate n (replicate m ())
  let f1 (xss: [n][m]f64) =
    stencil_2d [(0, 0), (-1, -1), (1, -2), (0, 3)] (\() v -> v[0] * v[1] + 3 * v[2] - v[3]) none xss
  let f2 (xss: [n][m]f64) =
    stencil_2d [(-1, 0), (1, 0), (0, -2), (1, 1), (-1, 1)] (\() v -> v[0] + v[1] + 5 * v[2] + v[3] + v[4]) none xss
  let f3 b (xss: [n][m]f64) =
    stencil_2d_with b [(0, 0), (-1, -1), (1, -2), (0, 3)] (\() v -> v[0] * v[1] + v[2] * v[3]) none xss
  in agree_2d f1 && agree_2d f2 && agree_2d (f3 (#clamp, #wrap)) && agree_2d (f3 (#constant 3, #clamp))

-- ==
-- entry: boxes
-- input { 1i64 1i64 1i64 } output { true }
-- input { 1i64 2i64 3i64 } output { true }
-- input { 2i64 0i64 3i64 } output { true }
-- input { 3i64 2i64 1i64 } output { true }
-- input { 4i64 5i64 6i64 } output { true }
-- input { 9i64 10i64 33i64 } output { true }
entry boxes (n: i64) (m: i64) (k: i64) =
  let none = replicate n (replicate m (replicate k ()))
  let f1 (xs: [n][m][k]f64) =
    stencil_3d [(0, 0, 0), (-1, 1, -2), (1, 0, -1), (0, -3, 0)] (\() v -> v[0] * v[1] + v[2] - 2 * v[3]) none xs
  let f2 (xs: [n][m][k]f64) =
    stencil_3d_with (#clamp, #wrap, #clamp)
                    [(0, 0, 0), (-1, 1, -2), (1, 0, -1), (0, -3, 0)]
                    (\() v -> v[0] * v[1] + v[2] * v[3])
                    none
                    xs
  in agree_3d f1 && agree_3d f2

-- So far that terms would be too many: the padded way.
-- ==
-- entry: far
-- input { 3i64 } output { true }
entry far (n: i64) = agree_1d (\(xs: [n]f64) -> stencil_1d [-200, 0] (\() v -> v[0] * v[1]) (replicate n ()) xs)

-- Offsets that are arguments: of several functions, of any number, one of them of two calls.
-- ==
-- entry: passed
-- input { 1i64 } output { true }
-- input { 7i64 } output { true }
entry passed (n: i64) =
  let linear [k] (os: [k]i64) (xs: [n]f64) = stencil_1d os (\() v -> v[0] + 2 * v[k - 1]) (replicate n ()) xs
  let near = [-1, 0]
  let square (xs: [n]f64) = stencil_1d near (\() v -> v[0] * v[1]) (replicate n ()) xs
  in agree_1d (linear near) && agree_1d (linear [2, 0, -1]) && agree_1d square

-- Several steps at once.
-- ==
-- entry: plane_steps
-- input { 1i64 1i64 } output { true }
-- input { 3i64 2i64 } output { true }
-- input { 70i64 150i64 } output { true }
entry plane_steps (n: i64) (m: i64) =
  let cell () v = 2 * v[2] - v[0] + 3 * v[1]
  let step (xss: [n][m]f64) = stencil_2d [(-1, 0), (0, 1), (0, 0)] cell (rep (rep ())) xss
  in agree_2d (\(xss: [n][m]f64) -> loop xss for _i < 5 do step xss)

-- ==
-- entry: box_steps
-- input { 1i64 2i64 1i64 } output { true }
-- input { 9i64 10i64 40i64 } output { true }
entry box_steps (n: i64) (m: i64) (k: i64) =
  let cell () v = 2 * v[3] - v[0] + 3 * v[1] + v[2]
  let offsets = [(-1, 0, 0), (0, 1, 0), (1, 0, -1), (0, 0, 0)]
  let step (xs: [n][m][k]f64) = stencil_3d offsets cell (rep (rep (rep ()))) xs
  in agree_3d (\(xs: [n][m][k]f64) -> loop xs for _i < 4 do step xs)

-- Offsets of run time, and a value beyond the border that varies.
-- ==
-- entry: values_beyond
-- input { [-1i64, 1] 0i64 } output { true }
-- input { [-1i64, 1] 1i64 } output { true }
-- input { [-2i64, 0, 5] 4i64 } output { true }
-- input { empty([0]i64) 3i64 } output { true }
-- input { [-40i64, 7] 600i64 } output { true }
entry values_beyond [d] (offsets: [d]i64) (n: i64) =
  let at (xs: [n + 1]f64): [n + 1]f64 =
    let ys = take n xs
    in stencil_1d_with (#constant xs[n]) offsets (\() v -> f64.sum v + f64.product v) (replicate n ()) ys
       ++ [xs[n]]
  in agree_1d at

-- A neighbour beyond both axes has the value of the outer one.
-- ==
-- entry: corners_beyond
-- input { [-1i64, 1] [-1i64, 0] 3i64 4i64 } output { true }
-- input { [-1i64, 0, 2] [2i64, -1, 2] 5i64 2i64 } output { true }
entry corners_beyond [d] (rows: [d]i64) (columns: [d]i64) (n: i64) (m: i64) =
  let offsets = zip rows columns
  let (point, direction, weights) = (noise 1, noise 2, noise 3)
  let f (a: f64, b: f64, xs: [n][m]f64) =
    stencil_2d_with (#constant a, #constant b) offsets (\() v -> f64.sum v * v[0]) (replicate n (replicate m ())) xs
  let some g = (g 90i64, g 91i64, tabulate_2d n m (\i j -> g (i * 19 + j)))
  let ws = tabulate_2d n m (\i j -> weights (i * 19 + j))
  let (a', b', xs') = vjp f (some point) ws
  let (da, db, dxs) = some direction
  in dot (flatten (jvp f (some point) (some direction))) (flatten ws)
     == a' * da + b' * db + dot (flatten xs') (flatten dxs)
