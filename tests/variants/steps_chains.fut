-- Loops of several stencils a step: what one makes the others read in the same step and in the next,
-- arrays that only live within a step, others that are carried and made by the first or the last.
-- tolerance: exact

def start (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 13) % 64) / 8)

-- ==
-- entry: fields crossed diffused smoothed water ring kinds four
-- input { 0i64 3i64 2i64 }
-- input { 1i64 1i64 9i64 }
-- input { 3i64 2i64 4i64 }
-- input { 5i64 70i64 5i64 }
-- input { 37i64 41i64 0i64 }
-- input { 37i64 41i64 1i64 }
-- input { 37i64 41i64 2i64 }
-- input { 64i64 48i64 3i64 }
-- input { 31i64 67i64 7i64 }
entry fields (n: i64) (m: i64) (steps: i64) =
  loop (e, h) = (start n m, replicate n (replicate m 0.5f32))
  for _i < steps do
    let h = stencil_2d [(0, 0), (1, 0), (0, 1)] (\old v -> old + 0.4f32 * (v[1] + v[2] - 2 * v[0])) h e
    let e =
      stencil_2d_with (#constant 0f32, #mirror)
                      [(-1, 0), (0, -1), (0, 0)]
                      (\old v -> old + 0.3f32 * (2 * v[2] - v[0] - v[1]))
                      e
                      h
    in (e, h)

-- The last one makes what is carried first, and reads the old of the other.
entry crossed (n: i64) (m: i64) (steps: i64) =
  loop (a, b) = (start n m, start n m)
  for _i < steps do
    let c = stencil_2d [(-2, 1), (0, 0), (1, 2)] (\x v -> x + 0.25f32 * (v[0] - v[1] + v[2])) b a
    let d =
      stencil_2d_with (#mirror, #clamp)
                      [(0, -1), (2, 0)]
                      (\(x, y) v -> 0.5f32 * x + v[0] / 3f32 - y * v[1] / 64f32)
                      (map2 zip a b)
                      c
    in (d, c)

entry diffused (n: i64) (m: i64) (steps: i64) =
  loop image = map (map (+ 1)) (start n m)
  for _i < steps do
    let parts =
      stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
                 (\() v ->
                    let (c, north, west, east, south) = (v[2], v[0] - v[2], v[1] - v[2], v[3] - v[2], v[4] - v[2])
                    let g = (north * north + south * south + west * west + east * east) / (c * c)
                    let k = 1 / (1 + g)
                    in (f32.min 1 k, (north, south, west, east)))
                 (rep (rep ()))
                 image
    in stencil_2d [(0, 0), (1, 0), (0, 1)]
                  (\c v ->
                     let (k, (north, south, west, east)) = v[0]
                     in c + 0.125f32 * (k * north + v[1].0 * south + k * west + v[2].0 * east))
                  image
                  parts

-- Down, then across; divisions are not done twice.
entry smoothed (n: i64) (m: i64) (steps: i64) =
  loop xs = start n m
  for _i < steps do
    let down =
      stencil_2d [(-2, 0), (-1, 0), (0, 0), (1, 0), (2, 0)]
                 (\() v -> (v[0] + v[1] / 3f32 + v[2] / 7f32 + v[3] / 3f32 + v[4]) / 5f32)
                 (rep (rep ()))
                 xs
    in stencil_2d_with (#clamp, #constant 1f32)
                       [(0, -2), (0, -1), (0, 0), (0, 1), (0, 2)]
                       (\() v -> (v[0] + v[1] / 3f32 + v[2] / 7f32 + v[3] / 3f32 + v[4]) / 5f32)
                       (rep (rep ()))
                       down

-- Shallow water: the height after both speeds; walls around.
entry water (n: i64) (m: i64) (steps: i64) =
  let still = replicate n (replicate m 0f32)
  in loop (h, u, v) = (start n m, still, still)
     for _i < steps do
       let u = stencil_2d [(0, 0), (0, 1)] (\u h -> 0.99f32 * u - 0.1f32 * (h[1] - h[0])) u h
       let v = stencil_2d [(0, 0), (1, 0)] (\v h -> 0.99f32 * v - 0.1f32 * (h[1] - h[0])) v h
       let h =
         stencil_2d_with (#constant (0f32, 0f32), #constant (0f32, 0f32))
                         [(0, 0), (0, -1), (-1, 0)]
                         (\h w -> h - 0.2f32 * (w[0].0 - w[1].0 + w[0].1 - w[2].1))
                         h
                         (map2 zip u v)
       in (h, u, v)

entry ring (n: i64) (m: i64) (steps: i64) =
  loop (e, h) = (start n m, start n m)
  for _i < steps do
    let h = stencil_2d_with (#wrap, #wrap) [(0, 0), (2, 0), (0, 1)] (\old v -> old + 0.4f32 * (v[1] / 3f32 + v[2] - 2 * v[0])) h e
    let e = stencil_2d_with (#wrap, #wrap) [(-1, 0), (0, -2), (0, 0)] (\old v -> old + 0.3f32 * (2 * v[2] - v[0] / 7f32 - v[1])) e h
    in (e, h)

-- Other types on the way, and an array from outside in the second stencil.
entry kinds (n: i64) (m: i64) (steps: i64) =
  let power = tabulate_2d n m (\i j -> f64.i64 (i - j))
  in loop xs = tabulate_2d n m (\i j -> i32.i64 (i * 31 + j * 17))
     for _i < steps do
       let wide = stencil_2d [(-1, 0), (0, 1)] (\() v -> (f64.i32 v[0] / 3f64, v[1] > v[0])) (rep (rep ())) xs
       in stencil_2d_with (#mirror, #mirror)
                          [(0, 0), (1, 1)]
                          (\(x, p) v -> if v[1].1 then x + i32.f64 (p + v[0].0 - v[1].0) else -x)
                          (map2 zip xs power)
                          wide

entry four (n: i64) (m: i64) (steps: i64) =
  loop (a, b, c) = (start n m, start n m, start n m)
  for _i < steps do
    let p = stencil_2d [(0, -1), (0, 0)] (\x v -> (v[0] + x) / 3f32 - v[1]) b a
    let q = stencil_2d_with (#mirror, #mirror) [(1, 0), (0, 0)] (\x v -> v[0] / 7f32 - x / 2f32 + v[1]) c p
    let r = stencil_2d [(0, 1), (-1, 0)] (\x v -> v[0] - x / 3f32 + v[1] / 5f32) p q
    let s = stencil_2d [(0, 1), (-1, 0)] (\x v -> 0.5f32 * v[0] - x / 9f32 + v[1] / 5f32) q r
    in (s, p, r)

-- ==
-- entry: line space torus
-- input { 1i64 4i64 }
-- input { 7i64 3i64 }
-- input { 19i64 2i64 }
-- input { 23i64 9i64 }
entry line (n: i64) (steps: i64) =
  loop (a, b) = (map (\i -> f32.i64 (i * i % 97)) (iota (n * 9)), replicate (n * 9) 1f32)
  for _i < steps do
    let b = stencil_1d_with (#constant 2f32) [-1, 2] (\x v -> x / 3f32 + v[0] - v[1] / 7f32) b a
    let a = stencil_1d_with #mirror [-2, 0, 1] (\x v -> (x + v[0] - v[1] + v[2]) / 5f32) a b
    in (a, b)

entry space (n: i64) (steps: i64) =
  loop (e, h) =
         ( tabulate_3d n (n + 1) 18 (\a b c -> f32.i64 ((a * 3 + b * 5 + c * 7) % 64) / 8)
         , replicate n (replicate (n + 1) (replicate 18 1f32))
         )
  for _i < steps do
    let h =
      stencil_3d [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
                 (\old v -> old + 0.3f32 * (v[1] / 3f32 + v[2] + v[3] - 3 * v[0]))
                 h
                 e
    let e =
      stencil_3d_with (#mirror, #constant 1f32, #clamp)
                      [(0, 0, 0), (-1, 0, 0), (0, -1, 0), (0, 0, -1)]
                      (\old v -> old + 0.3f32 * (3 * v[0] - v[1] / 3f32 - v[2] - v[3]))
                      e
                      h
    in (e, h)

entry torus (n: i64) (steps: i64) =
  loop xs = tabulate_3d n (n + 1) 18 (\a b c -> f32.i64 ((a * 3 + b * 5 + c * 7) % 64) / 8)
  for _i < steps do
    let ys =
      stencil_3d_with (#wrap, #wrap, #wrap)
                      [(0, 0, 0), (1, 0, 0), (0, -1, 0)]
                      (\() v -> (v[0] - v[1] / 3f32 + v[2]) / 3f32)
                      (rep (rep (rep ())))
                      xs
    in stencil_3d_with (#wrap, #wrap, #wrap) [(0, 0, 2), (-1, 0, 0)] (\x v -> x - v[0] / 5f32 + v[1]) xs ys
