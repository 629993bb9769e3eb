-- Simulations as written by hand: the cheapest path through a grid, gas around an unstructured mesh, particles in boxes,
-- heat by alternating directions, oscillators.

-- ==
-- entry: cheapest_path
-- input { 10i64 7i64 }
-- notest input { 1000i64 100000i64 }

-- | The least costs of paths down a grid, rows beside copies of their edges. Gives their sum.
entry cheapest_path (rows: i64) (cols: i64) : i64 =
  let wall = tabulate_2d rows cols (\i j -> i32.i64 ((i * 7919 + j * 104729 + (i * j) % 17) % 10))
  let step (best: [cols]i32) (row: [cols]i32) =
    let lefts = [best[0]] ++ init best :> [cols]i32
    let rights = tail best ++ [last best] :> [cols]i32
    in map4 (\r b l g -> r + i32.min b (i32.min l g)) row best lefts rights
  let best = loop best = wall[0] for i < rows - 1 do step best wall[i + 1]
  in i64.sum (map i64.i32 best)

type vec = {x: f32, y: f32, z: f32}
type state = {density: f32, momentum: vec, energy: f32}

def gamma : f32 = 1.4
def vadd (a: vec) (b: vec) : vec = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def vscale (k: f32) (a: vec) : vec = {x = k * a.x, y = k * a.y, z = k * a.z}
def dot (a: vec) (b: vec) : f32 = a.x * b.x + a.y * b.y + a.z * b.z

def sadd (a: state) (b: state) : state =
  {density = a.density + b.density, momentum = vadd a.momentum b.momentum, energy = a.energy + b.energy}

def sscale (k: f32) (a: state) : state =
  {density = k * a.density, momentum = vscale k a.momentum, energy = k * a.energy}

def velocity (s: state) : vec = vscale (1 / s.density) s.momentum
def speed2 (v: vec) : f32 = dot v v
def pressure (s: state) (v2: f32) : f32 = (gamma - 1) * (s.energy - 0.5 * s.density * v2)
def sound (s: state) (p: f32) : f32 = f32.sqrt (gamma * p / s.density)

def flux (s: state) (normal: vec) : state =
  let v = velocity s
  let p = pressure s (speed2 v)
  let vn = dot v normal
  in { density = dot s.momentum normal
     , momentum = vadd (vscale vn s.momentum) (vscale p normal)
     , energy = (s.energy + p) * vn
     }

def far : state =
  let v = 1.2f32 * f32.sqrt (gamma * 1f32 / 1.4)
  in {density = 1.4, momentum = {x = 1.4 * v, y = 0, z = 0}, energy = 1.4 * (0.5 * v * v) + 1f32 / (gamma - 1)}

-- ==
-- entry: euler
-- input { 12i64 2i32 }
-- notest input { 200000i64 100i32 }

-- | Euler's equations on cells with four neighbours each, by three steps of Runge and Kutta.
entry euler (n: i64) (steps: i32) : f32 =
  let areas = tabulate n (\i -> 0.5 + 0.1 * f32.i64 (i % 7))
  let around =
    tabulate_2d n 4 (\i k ->
                       let d = [1, -1, 97, -97][k]
                       let j = i + d
                       in if j >= n then -2i32 else if j < 0 then -1 else i32.i64 j)
  let normals =
    tabulate_2d n 4 (\i k ->
                       let s = [1f32, -1, 0.5, -0.5][k]
                       in {x = s, y = 0.25 * s * f32.i64 (1 + i % 3), z = 0.125 * s} : vec)
  let start = replicate n far
  let factors (vars: [n]state) =
    map2 (\a s ->
            let v2 = speed2 (velocity s)
            let p = pressure s v2
            in 0.5 / (f32.sqrt a * (f32.sqrt v2 + sound s p)))
         areas
         vars
  let fluxes (vars: [n]state) =
    map3 (\near normal s ->
            let vi = velocity s
            let v2i = speed2 vi
            let pi = pressure s v2i
            let ci = sound s pi
            let zero = {density = 0, momentum = {x = 0, y = 0, z = 0}, energy = 0}
            in loop acc = zero
               for k < 4 do
                 let n1 = normal[k]
                 let j = near[k]
                 let len = f32.sqrt (dot n1 n1)
                 in if j >= 0
                    then let o = vars[j]
                         let vo = velocity o
                         let v2o = speed2 vo
                         let po = pressure o v2o
                         let factor = -len * 0.2 * 0.5 * (f32.sqrt v2i + f32.sqrt v2o + ci + sound o po)
                         let acc = sadd acc (sscale factor (sadd s (sscale (-1) o)))
                         in sadd acc (sscale 0.5 (sadd (flux o n1) (flux s n1)))
                    else if j == -1
                    then acc with momentum = vadd acc.momentum (vscale pi n1)
                    else sadd acc (sscale 0.5 (sadd (flux far n1) (flux s n1))))
         around
         normals
         vars
  let final =
    loop vars = start
    for _i < steps do
      let old = vars
      let fs = factors vars
      in loop vars
         for r < 3 do
           let fl = fluxes vars
           in map3 (\o f l -> sadd o (sscale (f / f32.i64 (3 - r)) (sscale 0.001 l))) old fs fl
  in f32.sum (map (\s -> s.density + s.momentum.x + s.energy) final)

type four = {v: f32, x: f32, y: f32, z: f32}

def noise (i: i64) : f32 = f32.i64 ((i * 7919 + 13) % 1009) / 1009

-- ==
-- entry: boxes
-- input { 2i64 5i64 }
-- notest input { 10i64 100i64 }

-- | Forces between particles of boxes and of the boxes around, by loops.
entry boxes (side: i64) (par: i64) : f32 =
  let boxes = side * side * side
  let a2 = 2 * 0.5f32 * 0.5f32
  let pos =
    tabulate_2d boxes par (\b p ->
                             let k = (b * par + p) * 4
                             in {v = noise k, x = noise (k + 1), y = noise (k + 2), z = noise (k + 3)})
  let charge = tabulate_2d boxes par (\b p -> noise (b * 31 + p * 17))
  let near =
    tabulate_2d boxes 27 (\b k ->
                            let (x, y, z) = (b % side, b / side % side, b / (side * side))
                            let (x, y, z) = (x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1)
                            in if x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side then -1 else x + side * (y + side * z))
  let dot a b = a.x * b.x + a.y * b.y + a.z * b.z
  let force (b: i64) (p: four): four =
    loop acc = {v = 0, x = 0, y = 0, z = 0}
    for k < 27 do
      let o = near[b, k]
      in if o < 0
         then acc
         else loop acc
              for j < par do
                let q = pos[o, j]
                let r2 = p.v + q.v - dot p q
                let u2 = a2 * r2
                let vij = f32.exp (-u2)
                let fs = 2 * vij
                let qv = charge[o, j]
                in { v = acc.v + qv * vij
                   , x = acc.x + qv * fs * (p.x - q.x)
                   , y = acc.y + qv * fs * (p.y - q.y)
                   , z = acc.z + qv * fs * (p.z - q.z)
                   }
  let forces = map2 (\b ps -> map (force b) ps) (iota boxes) pos
  in f32.sum (map (\fs -> f32.sum (map (\f -> f.v + f.x + f.y + f.z) fs)) forces)

def thomas [n] (a: f32) (b: f32) (c: f32) (d: [n]f32) : *[n]f32 =
  let (cs, ds) =
    loop (cs, ds) = (replicate n 0f32, replicate n 0f32)
    for i < n do
      if i == 0
      then (cs with [0] = c / b, ds with [0] = d[0] / b)
      else let w = 1 / (b - a * cs[i - 1])
           in (cs with [i] = c * w, ds with [i] = (d[i] - a * ds[i - 1]) * w)
  in loop x = copy ds
     for k < n - 1 do
       let i = n - 2 - k
       in x with [i] = ds[i] - cs[i] * x[i + 1]

-- ==
-- entry: heat
-- input { 6i64 2i32 }
-- notest input { 1024i64 20i32 }

-- | A tridiagonal system for each row, then for each column.
entry heat (n: i64) (steps: i32) : f32 =
  let u = tabulate_2d n n (\i j -> f32.i64 ((i * 3 + j * 7) % 13))
  let k = 0.25f32
  let explicit (u: [n][n]f32) =
    tabulate_2d n n (\i j ->
                       let up = if i == 0 then 0 else u[i - 1, j]
                       let down = if i == n - 1 then 0 else u[i + 1, j]
                       in u[i, j] + k * (up - 2 * u[i, j] + down))
  let half u = transpose (map (thomas (-k) (1 + 2 * k) (-k)) (explicit u))
  let u = loop u for _i < steps do half (half u)
  in f32.sum (map f32.sum u)

-- | The same with scans of 2x2 matrices and linear functions in the systems (tridag by Blelloch).
def tridag_par [n] (a: [n]f32) (b: [n]f32) (c: [n]f32) (y: [n]f32) : [n]f32 =
  let b0 = b[0]
  let mats = map (\i -> if i > 0 then (b[i], 0 - a[i] * c[i - 1], 1, 0) else (1f32, 0, 0, 1f32)) (iota n)
  let mats =
    scan (\(a0, a1, a2, a3) (b0, b1, b2, b3) ->
            let v = 1 / (a0 * b0)
            in ((b0 * a0 + b1 * a2) * v, (b0 * a1 + b1 * a3) * v, (b2 * a0 + b3 * a2) * v, (b2 * a1 + b3 * a3) * v))
         (1, 0, 0, 1)
         mats
  let b = map (\(t0, t1, t2, t3) -> (t0 * b0 + t1) / (t2 * b0 + t3)) mats
  let lin (a0, a1) (b0, b1) = (b0 + b1 * a0, a1 * b1)
  let fs = map (\i -> if i > 0 then (y[i], 0 - a[i] / b[i - 1]) else (0f32, 1f32)) (iota n)
  let fs = scan lin (0, 1) fs
  let y = map (\(f0, f1) -> f0 + y[0] * f1) fs
  let yn = y[n - 1] / b[n - 1]
  let gs = map (\k -> let i = n - k - 1 in if k > 0 then (y[i] / b[i], 0 - c[i] / b[i]) else (0f32, 1f32)) (iota n)
  let gs = scan lin (0, 1) gs
  let xs = map (\(f0, f1) -> f0 + yn * f1) gs
  in map (\i -> xs[n - i - 1]) (iota n)

-- ==
-- entry: oscillators
-- input { 3i64 5i32 }
-- notest input { 65536i64 500i32 }

-- | Runge and Kutta's method for many systems of eight variables.
entry oscillators (n: i64) (steps: i32) : f64 =
  let rhs (y: [8]f64) (k: f64): [8]f64 =
    tabulate 8 (\i -> let l = y[(i + 7) % 8] let r = y[(i + 1) % 8] let rr = y[(i + 2) % 8] in l * (r - rr) * 0.01 - y[i] + k)
  let axpy a x y = map2 (\x y -> a * x + y) x y
  let run i =
    let k = 0.5 + f64.i64 (i % 100) / 100
    let h = 0.01
    let y = tabulate 8 (\j -> f64.i64 (j + i % 3) / 10)
    in f64.sum (loop y for _s < steps do
                  let k1 = rhs y k
                  let k2 = rhs (axpy (h / 2) k1 y) k
                  let k3 = rhs (axpy (h / 2) k2 y) k
                  let k4 = rhs (axpy h k3 y) k
                  in map (\j -> y[j] + h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j])) (iota 8))
  in f64.sum (map run (iota n))
