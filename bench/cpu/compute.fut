-- Arithmetic and linear algebra: against compute.cpp by bench/cpu/run.
import "/prelude/fft"

-- ==
-- entry: matmul64
-- "matmul64" random input { [64][64]f32 [64][64]f32 }
entry matmul64 [n] [k] [m] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a

-- ==
-- entry: matmul256
-- "matmul256" random input { [256][256]f32 [256][256]f32 }
entry matmul256 [n] [k] [m] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 = matmul64 a b

-- ==
-- entry: matmul1024
-- "matmul1024" random input { [1024][1024]f32 [1024][1024]f32 }
entry matmul1024 [n] [k] [m] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 = matmul64 a b

-- ==
-- entry: maxplus512
-- "maxplus512" random input { [512][512]f32 [512][512]f32 }
entry maxplus512 [n] [k] [m] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 =
  map (\row -> map (\column -> f32.maximum (map2 (+) row column)) (transpose b)) a

-- ==
-- entry: nbody
-- "nbody" random input { [2000]f32 [2000]f32 [2000]f32 [2000]f32 }
entry nbody [n] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) (ms: [n]f32) : ([n]f32, [n]f32, [n]f32) =
  let force (x, y, z) (x', y', z', m) =
    let (dx, dy, dz) = (x' - x, y' - y, z' - z)
    let r2 = dx * dx + dy * dy + dz * dz + 0.01f32
    let w = m / (r2 * f32.sqrt r2)
    in (w * dx, w * dy, w * dz)
  let add (a, b, c) (d, e, f) = (a + d, b + e, c + f)
  in unzip3 (map3 (\x y z -> reduce add (0, 0, 0) (map (force (x, y, z)) (zip4 xs ys zs ms)))
                  xs
                  ys
                  zs)

-- ==
-- entry: mandelbrot
-- "mandelbrot" input { 512i64 256i32 }
entry mandelbrot (n: i64) (limit: i32) : [n][n]i32 =
  let cell = 2.5f32 / f32.i64 n
  in tabulate_2d n n (\i j ->
                        let cx = f32.i64 j * cell - 1.9f32
                        let cy = f32.i64 i * cell - 1.25f32
                        let (_, _, k) =
                          loop (x, y, k) = (0f32, 0f32, 0i32)
                          while k < limit && x * x + y * y < 4f32 do
                            (x * x - y * y + cx, 2f32 * x * y + cy, k + 1)
                        in k)

-- ==
-- entry: black_scholes
-- "black_scholes" random input { [1048576]f32 [1048576]f32 [1048576]f32 }
entry black_scholes [n] (prices: [n]f32) (strikes: [n]f32) (years: [n]f32) : ([n]f32, [n]f32) =
  let normal (x: f32) =
    let k = 1 / (1 + 0.2316419 * f32.abs x)
    let poly =
      k
      * (0.31938153
         - k
           * (0.356563782
              - k
                * (1.781477937
                   - k * (1.821255978 - k * 1.330274429))))
    let tail = 0.3989422804014327 * f32.exp (-0.5 * x * x) * poly
    in if x < 0 then tail else 1 - tail
  let option (price: f32) (strike: f32) (years: f32) =
    let (price, strike, years) = (price + 0.5, strike + 0.5, years + 0.5)
    let spread = 0.3 * f32.sqrt years
    let d1 = (f32.log (price / strike) + (0.02 + 0.5 * 0.3 * 0.3) * years) / spread
    let d2 = d1 - spread
    let discounted = strike * f32.exp (-0.02 * years)
    let call = price * normal d1 - discounted * normal d2
    in (call, call + discounted - price)
  in unzip (map3 option prices strikes years)

-- ==
-- entry: saxpy
-- "saxpy" random input { [4194304]f32 [4194304]f32 }
entry saxpy [n] (xs: [n]f32) (ys: [n]f32) : [n]f32 = map2 (\x y -> 2.5 * x + y) xs ys

-- ==
-- entry: transpose2048
-- "transpose2048" random input { [2048][2048]f32 }
entry transpose2048 [n] [m] (xs: [n][m]f32) : [m][n]f32 = copy (transpose xs)

-- ==
-- entry: kmeans
-- "kmeans" random input { [65536][8]f32 [16][8]f32 }
entry kmeans [n] [d] [k] (points: [n][d]f32) (start: [k][d]f32) : [k][d]f32 =
  loop centres = start
  for _i < 5i32 do
    let distance (p: [d]f32) (c: [d]f32) = f32.sum (map2 (\a b -> (a - b) * (a - b)) p c)
    let nearest (p: [d]f32): i64 =
      (loop (best, at) = (f32.inf, 0)
       for j < k do
         let x = distance p centres[j]
         in if x < best then (x, j) else (best, at)).1
    let groups = map nearest points
    let counts = reduce_by_index (replicate k 0i32) (+) 0 groups (map (const 1) groups)
    let sums = reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) groups points
    in map2 (\row c -> map (/ f32.i32 (i32.max c 1)) row) sums counts

-- ==
-- entry: lu
-- "lu" random input { [512][512]f32 }
entry lu [n] (a: [n][n]f32) : [n][n]f32 =
  loop a = map2 (\i -> map2 (\j x -> if i == j then x + 512 else x) (iota n)) (iota n) a
  for k < n do
    let pivot = a[k, k]
    let column = map (\i -> if i > k then a[i, k] / pivot else 0) (iota n)
    let row = copy a[k]
    in map2 (\i r ->
               map3 (\j x y ->
                       if i <= k || j < k
                       then x
                       else if j == k then column[i] else x - column[i] * y)
                    (iota n)
                    r
                    row)
            (iota n)
            a

-- ==
-- entry: fft
-- "fft" random input { [262144]f32 [262144]f32 }
entry fft [n] (re: [n]f32) (im: [n]f32) : ([n]f32, [n]f32) =
  let bits = i64.i32 (63 - i64.clz n)
  let (data, _, _) =
    loop (data, out, ns) = (zip re im, replicate n (0, 0), 1)
    for _s < bits do
      let butterfly (j: i64) =
        let angle = -f32.pi * f32.i64 (j % ns) / f32.i64 ns
        let (wr, wi) = (f32.cos angle, f32.sin angle)
        let ((ar, ai), (br, bi)) = (data[j], data[j + n / 2])
        let (cr, ci) = (br * wr - bi * wi, br * wi + bi * wr)
        let at = (j / ns) * ns * 2 + j % ns
        in ([at, at + ns], [(ar + cr, ai + ci), (ar - cr, ai - ci)])
      let (places, values) = unzip (tabulate (n / 2) butterfly)
      in (scatter out (flatten places) (flatten values), data, ns * 2)
  in unzip data

-- ==
-- entry: fft_library
-- "fft_library" random input { [262144]f32 [262144]f32 }
entry fft_library [n] (re: [n]f32) (im: [n]f32) : ([n]f32, [n]f32) = unzip (fft_f32.fft (zip re im))
