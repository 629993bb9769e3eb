-- Simulation and statistics: k-means, bodies, lattice Boltzmann, heat, dynamic programming.
-- tolerance: 1e-6
-- ==
-- entry: kmeans
-- input { 2i64 4 [[0.0, 0.0], [10.0, 10.0], [1.0, 0.0], [11.0, 10.0]] } output { [[0.5, 0.0], [10.5, 10.0]] [0i64, 1i64, 0i64, 1i64] }
-- ==
-- entry: energy
-- input { 5 0.01 [0.0, 1.0, 3.0] [0.0, 2.0, 1.0] [1.0, 2.0, 0.5] } output { 0.0005024148146573559 }
-- ==
-- entry: lattice
-- input { 3 [1.0, 2.0, 4.0, 2.0] } output { 9.0 }
-- ==
-- entry: heat
-- input { 10 [[0.0, 0.0, 0.0, 0.0], [0.0, 8.0, 4.0, 0.0], [0.0, 4.0, 8.0, 0.0], [0.0, 0.0, 0.0, 0.0]] }
-- output { [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0078125, 0.00390625, 0.0], [0.0, 0.00390625, 0.0078125, 0.0], [0.0, 0.0, 0.0, 0.0]] }
-- ==
-- entry: mandelbrot
-- input { 5i64 3i64 20 } output { [[0, 2, 3, 3, 1], [0, 20, 20, 20, 1], [0, 2, 3, 3, 1]] }
-- ==
-- entry: knapsack
-- input { [3i64, 4i64, 2i64] [4, 5, 3] 6i64 } output { 8 [false, true, true] }
-- ==
-- entry: distance
-- input { "kitten" "sitting" } output { 3i64 }
-- ==
-- entry: histogram
-- input { [0i64, 2i64, 2i64, 5i64, -1i64] } output { [1, 0, 2] [1, 0, 2] }

def squared [d] (a: [d]f64) (b: [d]f64) : f64 = f64.sum (map2 (\x y -> (x - y) ** 2.0) a b)

def nearest [k] [d] (centres: [k][d]f64) (p: [d]f64) : i64 =
  let (at, _) =
    loop (at, best) = (0, squared p centres[0])
    for i < k do
      let dist = squared p centres[i]
      in if dist < best then (i, dist) else (at, best)
  in at

entry kmeans [n] [d] (k: i64) (steps: i32) (points: [n][d]f64) : ([k][d]f64, [n]i64) =
  loop (centres, members) = (points[:k], replicate n 0)
  for _i < steps do
    let members = map (nearest centres) points
    let counts = reduce_by_index (replicate k 0.0) (+) 0.0 members (rep 1.0)
    let sums = reduce_by_index (replicate k (replicate d 0.0)) (map2 (+)) (replicate d 0.0) members points
    in (map2 (\s c -> map (/ f64.max 1.0 c) s) sums counts, members)

type body = {x: f64, y: f64, vx: f64, vy: f64, mass: f64}

def pull (a: body) (b: body) : (f64, f64) =
  let (dx, dy) = (b.x - a.x, b.y - a.y)
  let r2 = dx * dx + dy * dy + 0.01
  let s = b.mass / (r2 * f64.sqrt r2)
  in (s * dx, s * dy)

def advance [n] (dt: f64) (bodies: [n]body) : [n]body =
  let accelerations =
    map (\a ->
           map (pull a) bodies
           |> reduce (\(x, y) (z, w) -> (x + z, y + w)) (0.0, 0.0))
        bodies
  in map2 (\b (ax, ay) ->
             let b = b with vx = b.vx + dt * ax with vy = b.vy + dt * ay
             in b with x = b.x + dt * b.vx with y = b.y + dt * b.vy)
          bodies
          accelerations

entry energy [n] (steps: i32) (dt: f64) (xs: [n]f64) (ys: [n]f64) (masses: [n]f64) =
  let bodies = map3 (\x y mass -> {x, y, vx = 0.0, vy = 0.0, mass}) xs ys masses
  let bodies = loop bodies for _i < steps do advance dt bodies
  in f64.sum (map (\b -> 0.5 * b.mass * (b.vx * b.vx + b.vy * b.vy)) bodies)

-- Three speeds on a ring; mass is kept.
entry lattice [n] (steps: i32) (density: [n]f64) : f64 =
  let start = map (\d -> (d * 2.0 / 3.0, d / 6.0, d / 6.0)) density
  let (rest, left, right) = unzip3 start
  let (rest, left, right) =
    loop (rest, left, right) for _i < steps do
      let rho = map3 (\a b c -> a + b + c) rest left right
      let collide w f = map2 (\r x -> x + 0.5 * (w * r - x)) rho f
      let rest = collide (2.0 / 3.0) rest
      let left = rotate 1 (collide (1.0 / 6.0) left)
      let right = rotate (-1) (collide (1.0 / 6.0) right)
      in (rest, left, right)
  in f64.sum rest + f64.sum left + f64.sum right

entry heat [n] [m] (steps: i32) (grid: *[n][m]f64) : *[n][m]f64 =
  loop grid for _i < steps do
    let inner =
      tabulate_2d (n - 2) (m - 2) (\i j ->
                                     0.25 * (grid[i, j + 1] + grid[i + 2, j + 1] + grid[i + 1, j] + grid[i + 1, j + 2]))
    in grid with [1:n - 1, 1:m - 1] = (inner :> [][]f64)

entry mandelbrot (w: i64) (h: i64) (limit: i32) : [h][w]i32 =
  let divergence (cx: f64) (cy: f64): i32 =
    let (_, _, i) =
      loop (x, y, i) = (cx, cy, 0)
      while i < limit && x * x + y * y < 4.0 do
        (x * x - y * y + cx, 2.0 * x * y + cy, i + 1)
    in i
  in tabulate_2d h w (\j i -> divergence (-2.0 + 3.0 * f64.i64 i / f64.i64 (w - 1)) (-1.0 + 2.0 * f64.i64 j / f64.i64 (h - 1)))

entry knapsack [n] (weights: [n]i64) (values: [n]i32) (capacity: i64) =
  let size = capacity + 1
  let table = replicate (n + 1) (replicate size 0)
  let table =
    loop table for i < n do
      let row =
        map (\c ->
               let without = table[i, c]
               in if weights[i] > c
                  then without
                  else i32.max without (values[i] + table[i, c - weights[i]]))
            (iota size)
      in table with [i + 1] = row
  let (taken, _) =
    loop (taken, c) = (replicate n false, capacity)
    for k < n do
      let i = n - 1 - k
      in if table[i + 1, c] == table[i, c]
         then (taken, c)
         else (taken with [i] = true, c - weights[i])
  in (table[n, capacity], taken)

entry distance [n] [m] (a: [n]u8) (b: [m]u8) : i64 =
  let row =
    loop row = iota (m + 1)
    for i < n do
      let (row, _) =
        loop (row, diagonal) = (row with [0] = i + 1, i)
        for j < m do
          let above = row[j + 1]
          let change = diagonal + i64.bool (a[i] != b[j])
          let row[j + 1] = i64.min change (1 + i64.min above row[j])
          in (row, above)
      in row
  in row[m]

entry histogram [n] (is: [n]i64) =
  let counts =
    loop counts = replicate 3 0
    for i in is do
      if i >= 0 && i < 3 then counts with [i] = counts[i] + 1 else counts
  in (counts, hist (+) 0 3 is (map (const 1) is))
