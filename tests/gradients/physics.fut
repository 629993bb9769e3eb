-- Programs of geometry and physics. `halo test --derivatives` checks them.

type vec = {x: f64, y: f64, z: f64}
def vec (x: f64) (y: f64) (z: f64) : vec = {x, y, z}
def add (a: vec) (b: vec) = vec (a.x + b.x) (a.y + b.y) (a.z + b.z)
def scale (k: f64) (a: vec) = vec (k * a.x) (k * a.y) (k * a.z)
def sub (a: vec) (b: vec) = add a (scale (-1) b)
def inner (a: vec) (b: vec) = a.x * b.x + a.y * b.y + a.z * b.z

def cross (a: vec) (b: vec) =
  vec (a.y * b.z - a.z * b.y) (a.z * b.x - a.x * b.z) (a.x * b.y - a.y * b.x)

-- Bundle adjustment: a camera is a rotation (Rodrigues), a centre, a focal length, a principal point
-- and two coefficients of radial distortion.
-- ==
-- entry: bundle
-- input { [[0.1, 0.2, 0.3, 0.0, 0.1, -2.0, 1.1, 0.05, -0.05, 0.01, 0.02]] [[0.5, 0.2, 5.0], [-0.3, 0.4, 4.0]]
--   [0i64, 0i64] [0i64, 1i64] [[0.1, 0.2], [0.0, 0.1]] }
entry bundle [c] [p] [o]
             (cameras: [c][11]f64)
             (points: [p][3]f64)
             (of_camera: [o]i64)
             (of_point: [o]i64)
             (features: [o][2]f64) : [o][2]f64 =
  let rotate (r: vec) (v: vec) =
    let angle2 = inner r r
    in if angle2 == 0
       then add v (cross r v)
       else let angle = f64.sqrt angle2
            let axis = scale (1 / angle) r
            let (s, c) = (f64.sin angle, f64.cos angle)
            in add (add (scale c v) (scale s (cross axis v))) (scale (inner axis v * (1 - c)) axis)
  in map3 (\i j feature ->
             let (m, q) = (cameras[i], points[j])
             let v = rotate (vec m[0] m[1] m[2]) (sub (vec q[0] q[1] q[2]) (vec m[3] m[4] m[5]))
             let (x, y) = (v.x / v.z, v.y / v.z)
             let r2 = x * x + y * y
             let k = 1 + m[9] * r2 + m[10] * r2 * r2
             in [m[6] * x * k + m[7] - feature[0], m[6] * y * k + m[8] - feature[1]])
          of_camera
          of_point
          features

type surface = #sphere vec f64 | #plane f64

-- Rays through a few spheres above a plane; the nearest surface gives the shade.
-- ==
-- entry: shade
-- input { [[0.0, 0.0, 5.0, 1.0], [1.0, 0.5, 4.0, 0.5]] -1.0 }
entry shade [n] (spheres: [n][4]f64) (ground: f64) : [4][4]f64 =
  let surfaces = [#plane ground] ++ map (\s -> #sphere (vec s[0] s[1] s[2]) s[3]) spheres
  let hit (d: vec) (s: surface): (f64, f64) =
    match s
    case #plane y ->
      let t = y / d.y in if t > 0 then (t, f64.abs d.y) else (1e9, 0)
    case #sphere centre radius ->
      let b = inner d centre
      let disc = b * b - inner centre centre + radius * radius
      in if disc < 0
         then (1e9, 0)
         else let t = b - f64.sqrt disc
              let normal = scale (1 / radius) (sub (scale t d) centre)
              in (t, -(inner normal d))
  let nearer (t0, s0) (t1, s1) = if t1 < t0 then (t1, s1) else (t0, s0)
  in tabulate_2d 4 4 (\i j ->
                        let d = vec (f64.i64 j / 8 - 0.21) (f64.i64 i / 8 - 0.17) 1
                        let d = scale (1 / f64.sqrt (inner d d)) d
                        let (t, s) = reduce nearer (1e9, 0) (map (hit d) surfaces)
                        in if t >= 1e9 then 0 else s / t)

-- Masses on springs, by steps of leapfrog.
-- ==
-- entry: springs
-- input { [0.0, 1.0, 2.5] [0.1, 0.0, -0.1] 0.3 }
entry springs [n] (xs: [n]f64) (vs: [n]f64) (k: f64) : ([n]f64, [n]f64) =
  let force (xs: [n]f64) =
    tabulate n (\i ->
                  let left = if i > 0 then xs[i - 1] - xs[i] + 1 else 0
                  let right = if i < n - 1 then xs[i + 1] - xs[i] - 1 else 0
                  in k * (left + right) - 0.01 * xs[i] ** 3)
  in #[stripmine(2)]
     loop (xs, vs) = (xs, vs)
     for _t < 10 do
       let vs = map2 (\v f -> v + 0.1 * f) vs (force xs)
       in (map2 (\x v -> x + 0.1 * v) xs vs, vs)

-- A stencil written by hand, periodic.
-- ==
-- entry: upwind
-- input { [1.0, 2.0, 0.5, 3.0, 0.25] 0.1 }
entry upwind [n] (xs: [n]f64) (c: f64) : [n]f64 =
  loop xs = xs
  for _t < 7 do
    tabulate n (\i -> xs[i] - c * xs[i] * (xs[i] - xs[(i - 1) % n]))

-- ==
-- entry: nbody
-- input { [[0.0, 0.0, 0.0], [1.0, 0.5, 0.0], [0.0, 1.0, 2.0]] [1.0, 0.5, 2.0] }
entry nbody [n] (xs: [n][3]f64) (ms: [n]f64) : [n][3]f64 =
  let pull (a: [3]f64) (b: [3]f64) (m: f64) =
    let d = map2 (-) b a
    let r2 = f64.sum (map (\x -> x * x) d) + 0.01
    in map (\x -> m * x / (r2 * f64.sqrt r2)) d
  in map (\a -> reduce (map2 (+)) (replicate 3 0) (map2 (pull a) xs ms)) xs
