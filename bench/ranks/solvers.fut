-- Solvers that stop by a norm, and sums, on several GPUs (bench/ranks/run): results are numbers.
def source (i: i64) (j: i64) : f32 = f32.i64 ((i * 7 + j * 13) % 101) / 101

def digest [n] [m] (u: [n][m]f32) =
  (f32.maximum (map f32.maximum u), i32.sum (map (\row -> i32.sum (map (\x -> i32.f32 (x * 100)) row)) u))

-- A step of Jacobi's method for the pressure of a flow, the change of all cells as a norm.
entry jacobi (n: i64) (m: i64) (most: i32) =
  let f = tabulate_2d n m source
  let (p, _, r) =
    loop (p, k, r) = (replicate n (replicate m 0f32), 0i32, f32.inf)
    while r > 1e-9 && k < most do
      let q =
        stencil_2d [(-1, 0), (0, -1), (0, 1), (1, 0)]
                   (\b v -> 0.25f32 * (v[0] + v[1] + v[2] + v[3] - b))
                   f
                   p
      in (q, k + 1, f32.sqrt (f32.sum (flatten (map2 (map2 (\x y -> (x - y) * (x - y))) p q))))
  in (digest p, r)

-- The same, the norm by rows.
entry jacobi_rows (n: i64) (m: i64) (most: i32) =
  let f = tabulate_2d n m source
  let (p, _, r) =
    loop (p, k, r) = (replicate n (replicate m 0f32), 0i32, f32.inf)
    while r > 1e-9 && k < most do
      let q =
        stencil_2d [(-1, 0), (0, -1), (0, 1), (1, 0)]
                   (\b v -> 0.25f32 * (v[0] + v[1] + v[2] + v[3] - b))
                   f
                   p
      let far = map2 (\a b -> f32.sum (map2 (\x y -> (x - y) * (x - y)) a b)) p q
      in (q, k + 1, f32.sqrt (f32.sum far))
  in (digest p, r)

-- Conjugate gradients for the matrix of five points.
def dot [n] [m] (a: [n][m]f32) (b: [n][m]f32) : f32 =
  f32.sum (map2 (\x y -> f32.sum (map2 (*) x y)) a b)

entry conjugate (n: i64) (m: i64) (most: i32) =
  let b = tabulate_2d n m source
  let times p =
    tabulate_2d n m (\i j ->
                       4 * p[i, j] - (if i > 0 then p[i - 1, j] else 0) - (if i < n - 1 then p[i + 1, j] else 0)
                       - (if j > 0 then p[i, j - 1] else 0)
                       - (if j < m - 1 then p[i, j + 1] else 0))
  let (x, _, _, rr, _) =
    loop (x, r, p, rr, k) = (replicate n (replicate m 0f32), b, b, dot b b, 0i32)
    while rr > 1e-20 && k < most do
      let ap = times p
      let alpha = rr / dot p ap
      let x = map2 (map2 (\a b -> a + alpha * b)) x p
      let r = map2 (map2 (\a b -> a - alpha * b)) r ap
      let next = dot r r
      in (x, r, map2 (map2 (\a b -> a + next / rr * b)) r p, next, k + 1)
  in (digest x, rr)

-- Sums of squares, one behind the other.
entry squares (n: i64) (_m: i64) (count: i32) =
  let xs = map (\i -> f32.i64 (i % 97) / 97) (iota n)
  in loop s = 0f32
     for _i < count do
       f32.sum (map (\x -> (x + s * 1e-30f32) * x) xs)

-- Products of matrices, one behind the other.
entry products (n: i64) (m: i64) (count: i32) =
  let w = tabulate_2d m m (\i j -> source i j / f32.i64 m)
  in digest (loop x = tabulate_2d n m source
             for _i < count do
               map (\row -> map (\col -> f32.sum (map2 (*) row col)) (transpose w)) x)

-- Bodies that attract each other: each needs the places of all at each step.
entry bodies (n: i64) (_m: i64) (count: i32) =
  let at i = (source i 1, source i 2, source i 3)
  let force (x, y, z) (u, v, w) =
    let (a, b, c) = (u - x, v - y, w - z)
    let r = a * a + b * b + c * c + 0.01f32
    let s = 1 / (r * f32.sqrt r)
    in (a * s, b * s, c * s)
  let add (a, b, c) (d, e, f): (f32, f32, f32) = (a + d, b + e, c + f)
  let step (x, y, z) (u, v, w): (f32, f32, f32) = (x + 1e-6f32 * u, y + 1e-6f32 * v, z + 1e-6f32 * w)
  let (places, _) =
    loop (ps, vs) = (map at (iota n), replicate n (0, 0, 0))
    for _i < count do
      let vs = map2 add vs (map (\p -> reduce add (0, 0, 0) (map (force p) ps)) ps)
      in (map2 step ps vs, vs)
  in f32.maximum (map (\(x, y, z) -> x + y + z) places)

-- A full matrix and a vector of its size.
entry matrix (n: i64) (_m: i64) (count: i32) =
  let a = tabulate_2d n n source
  let x =
    loop x = replicate n 1f32
    for _i < count do
      map (\row -> f32.sum (map2 (*) row x) / f32.i64 n) a
  in f32.maximum x
