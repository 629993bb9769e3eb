-- Simulations and pictures as written by hand: lattice gas, waves through materials, life, filters of a picture, sharpening by
-- a histogram, a ray marcher.

-- ==
-- entry: lattice_boltzmann
-- input { 8i64 3i32 }
-- notest input { 1024i64 100i32 }

-- | Flow on a torus: collision and streaming of nine populations (D2Q9).
entry lattice_boltzmann (n: i64) (steps: i32) : f32 =
  let cx = [0, 1, 0, -1, 0, 1, -1, -1, 1i64]
  let cy = [0, 0, 1, 0, -1, 1, 1, -1, -1i64]
  let weight = [4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36f32]
  let start = tabulate_3d n n 9 (\i j q -> weight[q] * (1 + 0.01 * f32.i64 ((i * 3 + j * 5) % 13)))
  let collide (f: [9]f32) =
    let rho = f32.sum f
    let ux = f32.sum (map2 (\c x -> f32.i64 c * x) cx f) / rho
    let uy = f32.sum (map2 (\c x -> f32.i64 c * x) cy f) / rho
    let square = ux * ux + uy * uy
    in tabulate 9 (\q ->
                     let cu = f32.i64 cx[q] * ux + f32.i64 cy[q] * uy
                     let equilibrium = weight[q] * rho * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * square)
                     in f[q] - 0.6 * (f[q] - equilibrium))
  let flow =
    loop f = start
    for _i < steps do
      let f = map (map collide) f
      in tabulate_3d n n 9 (\i j q -> f[(i - cx[q] + n) % n, (j - cy[q] + n) % n, q])
  in f32.sum (map (\row -> f32.sum (map (\c -> c[1] - c[3]) row)) flow)

-- ==
-- entry: waves
-- input { 6i64 3i32 }
-- notest input { 256i64 50i32 }

-- | The wave equation in space, with a speed for each cell and walls.
entry waves (n: i64) (steps: i32) : f32 =
  let speed = tabulate_3d n n n (\i j k -> 0.1 + 0.05 * f32.i64 ((i + j + k) % 3))
  let at (u: [n][n][n]f32) i j k =
    if i < 0 || j < 0 || k < 0 || i >= n || j >= n || k >= n then 0 else u[i, j, k]
  let start = tabulate_3d n n n (\i j k -> if i == n / 2 && j == n / 2 && k == n / 2 then 1f32 else 0)
  let (_, u) =
    loop (before, u) = (start, start)
    for _i < steps do
      let next =
        tabulate_3d n n n (\i j k ->
                             let around =
                               at u (i - 1) j k + at u (i + 1) j k + at u i (j - 1) k + at u i (j + 1) k
                               + at u i j (k - 1)
                               + at u i j (k + 1)
                             in 2 * u[i, j, k] - before[i, j, k] + speed[i, j, k] * (around - 6 * u[i, j, k]))
      in (u, next)
  in f32.sum (map (\plane -> f32.sum (map (\row -> f32.sum (map f32.abs row)) plane)) u)

-- ==
-- entry: life
-- input { 8i64 4i32 }
-- notest input { 2048i64 200i32 }

-- | Conway's life on a torus, neighbours by rotation.
entry life (n: i64) (steps: i32) : i64 =
  let start = tabulate_2d n n (\i j -> i8.bool ((i * 7 + j * 13 + i * j) % 5 < 2))
  let step (world: [n][n]i8) =
    let rows a b = map2 (map2 (i8.+)) a b
    let lines = rows world (rows (rotate 1 world) (rotate (-1) world))
    let around = rows lines (rows (map (rotate 1) lines) (map (rotate (-1)) lines))
    in map2 (map2 (\cell sum -> i8.bool (sum == 3 || (sum == 4 && cell == 1)))) world around
  let world = loop world = start for _i < steps do step world
  in i64.sum (map (\row -> i64.sum (map i64.i8 row)) world)

-- ==
-- entry: edges
-- input { 16i64 }
-- notest input { 4096i64 }

-- | A picture, blurred in both directions, its gradient, equalised by a histogram of 256 greys.
entry edges (n: i64) : i64 =
  let picture = tabulate_2d n n (\i j -> f32.i64 ((i * i + 3 * j * j + i * j) % 256))
  let kernel = [1, 4, 6, 4, 1f32]
  let clamped i = i64.max 0 (i64.min (n - 1) i)
  let blur (xs: [n]f32) =
    tabulate n (\i -> f32.sum (map2 (\k d -> k * xs[clamped (i + d - 2)]) kernel (iota 5)) / 16)
  let smooth = picture |> map blur |> transpose |> map blur |> transpose
  let gradient =
    tabulate_2d n n (\i j ->
                       let dx = smooth[i, clamped (j + 1)] - smooth[i, clamped (j - 1)]
                       let dy = smooth[clamped (i + 1), j] - smooth[clamped (i - 1), j]
                       in u8.f32 (f32.min 255 (f32.sqrt (dx * dx + dy * dy))))
  let greys = map i64.u8 (flatten gradient)
  let counts = hist (+) 0 256 greys (map (const 1i64) greys)
  let sums = scan (+) 0 counts
  let equal = map (map (\g -> u8.i64 (255 * sums[i64.u8 g] / (n * n)))) gradient
  in i64.sum (map (\row -> i64.sum (map i64.u8 row)) equal)

type vector = {x: f32, y: f32, z: f32}

def add (a: vector) (b: vector) : vector = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def scale (k: f32) (a: vector) : vector = {x = k * a.x, y = k * a.y, z = k * a.z}
def norm (a: vector) : f32 = f32.sqrt (a.x * a.x + a.y * a.y + a.z * a.z)

-- ==
-- entry: march
-- input { 8i64 }
-- notest input { 2048i64 }

-- | A ray for each pixel walks towards spheres on a grid by their distance.
entry march (n: i64) : i64 =
  let distance (p: vector) =
    let wrap t = (t % 2 + 2) % 2 - 1
    in norm {x = wrap p.x, y = wrap p.y, z = wrap p.z} - 0.3f32
  let pixel i j =
    let d = {x = f32.i64 j / f32.i64 n - 0.5, y = f32.i64 i / f32.i64 n - 0.5, z = 1f32}
    let d = scale (1 / norm d) d
    let (_, _, steps) =
      loop (p, gap, steps) = ({x = 0.9f32, y = 0.1, z = 0}, 1f32, 0i64)
      while gap > 0.001 && steps < 64 do
        let gap = distance p
        in (add p (scale gap d), gap, steps + 1)
    in steps
  in i64.sum (tabulate n (\i -> i64.sum (tabulate n (pixel i))))
