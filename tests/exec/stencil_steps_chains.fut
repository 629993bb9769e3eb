-- Several stencils a step over arrays larger than the cache: the cpu engine does 2, 4 or 8 steps at once
-- (lang/imp/schedule/lower_steps), and not in a `while` loop. Both give the same bits.
-- tolerance: exact
-- ==
-- entry: fields ring diffused water line space
-- compiled input { 0i64 } output { true }
-- compiled input { 1i64 } output { true }
-- compiled input { 2i64 } output { true }
-- compiled input { 3i64 } output { true }
-- compiled input { 4i64 } output { true }
-- compiled input { 5i64 } output { true }
-- compiled input { 7i64 } output { true }
-- compiled input { 8i64 } output { true }
-- compiled input { 9i64 } output { true }

def same 'a [n] (equal: a -> a -> bool) (xs: [n]a) (ys: [n]a) = and (map2 equal xs ys)
def plane (n: i64) (m: i64) = tabulate_2d n m (\i j -> f32.i64 ((i * 31 + j * 17) % 1021) / 512)

-- Each field moves the other one.
def light [n] [m] (e: [n][m]f32, h: [n][m]f32) : ([n][m]f32, [n][m]f32) =
  let h = stencil_2d [(0, 0), (1, 0), (0, 1)] (\old v -> old + 0.4f32 * (v[1] + v[2] - 2 * v[0])) h e
  let e =
    stencil_2d_with (#constant 0f32, #mirror)
                    [(-1, 0), (0, -1), (0, 0)]
                    (\old v -> old + 0.3f32 * (2 * v[2] - v[0] - v[1]))
                    e
                    h
  in (e, h)

entry fields (steps: i64) =
  let start = (plane 703 1031, plane 703 1031)
  let (a, b) = loop s = start for _i < steps do light s
  let (_, (c, d)) = loop (i, s) = (0, start) while i < steps do (i + 1, light s)
  in same (==) (flatten a) (flatten c) && same (==) (flatten b) (flatten d)

def around [n] [m] (e: [n][m]f32, h: [n][m]f32) : ([n][m]f32, [n][m]f32) =
  let h = stencil_2d_with (#wrap, #wrap) [(0, 0), (2, 0), (0, 1)] (\old v -> old + 0.4f32 * (v[1] / 3f32 + v[2] - 2 * v[0])) h e
  let e = stencil_2d_with (#wrap, #wrap) [(-1, 0), (0, -2), (0, 0)] (\old v -> old + 0.3f32 * (2 * v[2] - v[0] / 7f32 - v[1])) e h
  in (e, h)

entry ring (steps: i64) =
  let start = (plane 515 1100, plane 515 1100)
  let (a, b) = loop s = start for _i < steps do around s
  let (_, (c, d)) = loop (i, s) = (0, start) while i < steps do (i + 1, around s)
  in same (==) (flatten a) (flatten c) && same (==) (flatten b) (flatten d)

def diffuse [n] [m] (image: [n][m]f32) : [n][m]f32 =
  let parts =
    stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
               (\() v ->
                  let (c, north, west, east, south) = (v[2], v[0] - v[2], v[1] - v[2], v[3] - v[2], v[4] - v[2])
                  let g = (north * north + south * south + west * west + east * east) / (c * c)
                  in (1 / (1 + g), (north, south, west, east)))
               (rep (rep ()))
               image
  in stencil_2d [(0, 0), (1, 0), (0, 1)]
                (\c v ->
                   let (k, (north, south, west, east)) = v[0]
                   in c + 0.125f32 * (k * north + v[1].0 * south + k * west + v[2].0 * east))
                image
                parts

entry diffused (steps: i64) =
  let start = map (map (+ 1)) (plane 530 1027)
  let blocked = loop xs = start for _i < steps do diffuse xs
  let (_, plain) = loop (i, xs) = (0, start) while i < steps do (i + 1, diffuse xs)
  in same (==) (flatten blocked) (flatten plain)

-- The speeds are made by earlier stencils than the last one, and carried.
def flow [n] [m] (h: [n][m]f32, u: [n][m]f32, v: [n][m]f32) : ([n][m]f32, [n][m]f32, [n][m]f32) =
  let u = stencil_2d [(0, 0), (0, 1)] (\u h -> 0.99f32 * u - 0.1f32 * (h[1] - h[0])) u h
  let v = stencil_2d [(0, 0), (1, 0)] (\v h -> 0.99f32 * v - 0.1f32 * (h[1] - h[0])) v h
  let h =
    stencil_2d_with (#constant (0f32, 0f32), #constant (0f32, 0f32))
                    [(0, 0), (0, -1), (-1, 0)]
                    (\h w -> h - 0.2f32 * (w[0].0 - w[1].0 + w[0].1 - w[2].1))
                    h
                    (map2 zip u v)
  in (h, u, v)

entry water (steps: i64) =
  let start = (plane 517 1031, plane 517 1031, plane 517 1031)
  let (a, b, c) = loop s = start for _i < steps do flow s
  let (_, (d, e, f)) = loop (i, s) = (0, start) while i < steps do (i + 1, flow s)
  in same (==) (flatten a) (flatten d) && same (==) (flatten b) (flatten e) && same (==) (flatten c) (flatten f)

def along [n] (a: [n]f32, b: [n]f32) : ([n]f32, [n]f32) =
  let b = stencil_1d_with (#constant 2f32) [-1, 2] (\x v -> 0.3f32 * x + v[0] - 0.2f32 * v[1]) b a
  in (stencil_1d_with #mirror [-2, 0, 1] (\x v -> 0.2f32 * (x + v[0] - v[1] + v[2])) a b, b)

entry line (steps: i64) =
  let start = (map (\i -> f32.i64 (i * 7919 % 1021)) (iota 500003), replicate 500003 1f32)
  let (a, b) = loop s = start for _i < steps do along s
  let (_, (c, d)) = loop (i, s) = (0, start) while i < steps do (i + 1, along s)
  in same (==) a c && same (==) b d

def cube [n] [m] [k] (e: [n][m][k]f32, h: [n][m][k]f32) : ([n][m][k]f32, [n][m][k]f32) =
  let h =
    stencil_3d [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
               (\old v -> old + 0.3f32 * (v[1] + v[2] + v[3] - 3 * v[0]))
               h
               e
  let e =
    stencil_3d_with (#mirror, #constant 1f32, #clamp)
                    [(0, 0, 0), (-1, 0, 0), (0, -1, 0), (0, 0, -1)]
                    (\old v -> old + 0.3f32 * (3 * v[0] - v[1] - v[2] - v[3]))
                    e
                    h
  in (e, h)

entry space (steps: i64) =
  let make (c: i64) = tabulate_3d 131 97 261 (\i j k -> f32.i64 ((i * 3 + j * 5 + k * c) % 64) / 8)
  let start = (make 7, make 11)
  let (a, b) = loop s = start for _i < steps do cube s
  let (_, (c, d)) = loop (i, s) = (0, start) while i < steps do (i + 1, cube s)
  in same (==) (flatten_3d a) (flatten_3d c) && same (==) (flatten_3d b) (flatten_3d d)
