-- Loops of stencils over small arrays that end by a condition: one workgroup for all steps.

-- ==
-- entry: clamped wrapped constant corners mirrored space residual both
-- input { 1i64 5i32 }
-- input { 2i64 4i32 }
-- input { 3i64 3i32 }
-- input { 17i64 6i32 }
-- input { 40i64 3i32 }

def start (n: i64) : [n]i32 = tabulate n (\i -> i32.i64 ((i * i * 7 + i * 3) % 23))
def plane (n: i64) : [n][n + 1]i32 = tabulate_2d n (n + 1) (\i j -> i32.i64 ((i * 7 + j * j * 5) % 23))

-- Steps until a sum is large or their number is reached.
def until [n] (most: i32) (step: [n]i32 -> [n]i32) (xs: [n]i32) : ([n]i32, i32) =
  let (xs, k, _) =
    loop (xs, k, goes_on) = (xs, 0, true)
    while goes_on do
      let ys = step xs
      in (ys, k + 1, k + 1 < most && i32.sum ys < 1000000)
  in (xs, k)

entry clamped (n: i64) (k: i32) = until k (stencil_1d [-3, -1, 0, 2] (\() v -> v[0] - 2 * v[1] + v[2] + v[3]) (rep ())) (start n)

entry wrapped (n: i64) (k: i32) = until k (stencil_1d_with #wrap [-5, -1, 0, 1, 4] (\() v -> v[0] + 2 * v[1] - v[2] + 3 * v[3] - v[4]) (rep ())) (start n)

entry constant (n: i64) (k: i32) = until k (stencil_1d_with (#constant 3) [-2, 0, 1] (\c v -> c + v[0] + 2 * v[1] - v[2]) (start n)) (start n)

-- The outermost axis decides.
entry corners (n: i64) (k: i32) =
  let (xs, _) =
    loop (xs, i) = (plane n, 0)
    while i < k && xs[0, 0] < 100000 do
      (stencil_2d_with (#constant 5, #constant 7) [(-1, -1), (0, 0), (1, 1), (2, -2)] (\() v -> (v[0] + 2 * v[1] + 3 * v[2] - v[3]) % 1009) (rep (rep ())) xs, i + 1)
  in xs

-- Mirrors stay stencils.
entry mirrored (n: i64) (k: i32) = until k (stencil_1d_with #mirror [-2, 0, 1] (\() v -> v[0] + 2 * v[1] - v[2]) (rep ())) (start n)

entry space (n: i64) (k: i32) =
  let n = i64.min n 7
  let (xs, _) =
    loop (xs, i) = (tabulate_3d n 2 n (\i j k -> i32.i64 ((i * 5 + j * 3 + k * k) % 19)), 0)
    while i < k && xs[0, 0, 0] < 100000 do
      (stencil_3d_with (#wrap, #clamp, #constant 1) [(-1, 0, 0), (0, 1, 0), (0, 0, 2), (0, 0, 0)] (\() v -> (v[0] + 2 * v[1] + 3 * v[2] - v[3]) % 1009) (rep (rep (rep ()))) xs, i + 1)
  in xs

-- The largest change decides.
entry residual (n: i64) (k: i32) =
  let (xs, i, d) =
    loop (xs, i, d) = (plane n, 0, 100)
    while i < k && d > 0 do
      let ys = tabulate_2d n (n + 1) (\i j -> if i > 0 && j > 0 && i < n - 1 && j < n then (xs[i - 1, j] + xs[i + 1, j] + xs[i, j - 1] + xs[i, j + 1]) / 4 else xs[i, j])
      in (ys, i + 1, i32.maximum (flatten (map2 (map2 (\a b -> i32.abs (a - b))) xs ys)))
  in (xs, i, d)

-- A square, and two reductions of a step.
entry both (n: i64) (k: i32) =
  loop (xs, i, d, s) = (tabulate_2d n n (\i j -> i32.i64 ((i * 7 + j * j * 5) % 23)), 0, 100, 0)
  while i < k && d > 0 do
    let ys = tabulate_2d n n (\i j -> (xs[(i + 1) % n, j] + xs[i, (j + n - 1) % n]) / 2)
    in (ys, i + 1, i32.maximum (flatten (map2 (map2 (\a b -> i32.abs (a - b))) xs ys)), i32.sum (flatten ys))
