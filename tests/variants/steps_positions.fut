-- Iterated stencils whose cells use their own position, and the number of the step, as values.
-- Tiles, rows and streams have the same positions as cells one by one, beyond the ends of arrays
-- that wrap around as well. Results are compared with the interpreter bit by bit.
-- tolerance: exact

def plane (n: i64) (m: i64) : [n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 13) % 64))

def mix (a: u32) : u32 =
  let x = a * 0x9E3779B1
  let x = (x ^ (x >> 15)) * 0x2C1B3C6D
  in x ^ (x >> 13)

-- ==
-- entry: checker injected source coefficients profiles damped
-- input { 0i64 3i64 3i64 }
-- input { 1i64 1i64 9i64 }
-- input { 2i64 3i64 8i64 }
-- input { 37i64 41i64 0i64 }
-- input { 37i64 41i64 1i64 }
-- input { 37i64 41i64 7i64 }
-- input { 64i64 32i64 9i64 }
-- input { 33i64 100i64 16i64 }
-- input { 101i64 67i64 23i64 }
-- input { 200i64 260i64 13i64 }
entry checker (n: i64) (m: i64) (steps: i64) : [n][m]i32 =
  let half (c: i64) (xs: [n][m]i32) =
    tabulate_2d n m (\i j ->
                       if (i + j) % 2 == c
                       then xs[(i - 1) % n, j] + xs[(i + 1) % n, j] - 3 * xs[i, (j - 1) % m]
                            + xs[i, (j + 1) % m]
                            + i32.i64 (i * 7 - j)
                       else xs[i, j])
  in loop xs = plane n m for _i < steps do half 1 (half 0 xs)

entry injected (n: i64) (m: i64) (steps: i64) : [n][m]i32 =
  loop xs = plane n m
  for t < steps do
    tabulate_2d n m (\i j ->
                       let at a b = xs[(i + a) % n, (j + b) % m] & 1
                       let around =
                         at (-1) (-1) + at (-1) 0 + at (-1) 1 + at 0 (-1)
                         + at 0 1
                         + at 1 (-1)
                         + at 1 0
                         + at 1 1
                       let draw = mix (u32.i64 (i * m + j) * 31 + u32.i64 t)
                       in if draw % 16 == 0
                          then 1
                          else i32.bool (around == 3 || (around == 2 && at 0 0 == 1)))

entry source (n: i64) (m: i64) (steps: i64) : [n][m]f32 =
  loop xs = map (map f32.i32) (plane n m)
  for t < steps do
    tabulate_2d n m (\i j ->
                       let at a b = if a < 0 || a >= n || b < 0 || b >= m then 0 else xs[a, b]
                       let c = 0.01f32 * f32.i64 (i % 17)
                       let x =
                         xs[i, j]
                         + c
                           * (at (i - 1) j + at (i + 1) j + at i (j - 1)
                              + at i (j + 1)
                              - 4 * xs[i, j])
                       in if i == 12 && j == 5 then x + f32.i64 t else x)

entry coefficients (n: i64) (m: i64) (steps: i64) : ([n][m]f32, [n][m]f32) =
  loop (xs, ys) = (map (map f32.i32) (plane n m), replicate n (replicate m 1f32))
  for _i < steps do
    let next =
      tabulate_2d n m (\i j ->
                         let at a b = xs[i64.max 0 (i64.min (n - 1) a), i64.max 0 (i64.min (m - 1) b)]
                         let speed = 0.1f32 + 0.001f32 * f32.i64 (2 * i + j)
                         in 2 * xs[i, j] - ys[i, j]
                            + speed
                              * (at (i - 1) j + at (i + 1) j + at i (j - 1) + at i (j + 1)
                                 - 4 * xs[i, j]))
    in (next, xs)

-- Arrays of coefficients by row and by column, which no step changes.
entry profiles (n: i64) (m: i64) (steps: i64) : [n][m]f32 =
  let ks = tabulate n (\i -> 0.1f32 + f32.i64 (i % 5) / 64)
  let cs = tabulate m (\j -> f32.i64 (j % 7) / 8)
  in loop xs = map (map f32.i32) (plane n m)
     for _i < steps do
       tabulate_2d n m (\i j ->
                          let at a b = xs[i64.max 0 (i64.min (n - 1) a), i64.max 0 (i64.min (m - 1) b)]
                          in xs[i, j]
                             + ks[i]
                               * (at (i - 1) j + at (i + 1) j + at i (j - 1)
                                  + at i (j + 1)
                                  - 4 * xs[i, j])
                             + cs[j])

entry damped (n: i64) (m: i64) (steps: i64) : [n][m]i32 =
  let ks = tabulate n (\i -> i32.i64 (i % 5))
  in loop xs = plane n m
     for t < steps do
       tabulate_2d n m (\i j ->
                          xs[(i + 1) % n, j] - xs[(i - 1) % n, j] + ks[i] * xs[i, (j - 1) % m]
                          + (if (i + j + t) % 2 == 0 then 1 else ks[i]))

-- ==
-- entry: line space
-- input { 0i64 2i64 }
-- input { 1i64 4i64 }
-- input { 3i64 1i64 }
-- input { 7i64 3i64 }
-- input { 19i64 9i64 }
-- input { 40i64 10i64 }
entry line (n: i64) (steps: i64) : []i32 =
  let m = n * 9
  in loop xs = map (\i -> i32.i64 (i * i % 97)) (iota m)
     for t < i32.i64 steps do
       tabulate m (\i ->
                     if i % 3 == i64.i32 (t % 2)
                     then xs[i]
                     else xs[i64.max 0 (i - 1)] - 2 * xs[i64.min (m - 1) (i + 1)] + i32.i64 i)

entry space (n: i64) (steps: i64) : [][][]f32 =
  let (m, k) = (n + 3, 2 * n)
  in loop xs = tabulate_3d n m k (\a b c -> f32.i64 ((a * 3 + b * 5 + c * 7) % 64) / 8)
     for _i < steps do
       tabulate_3d n m k (\a b c ->
                            let at d e f =
                              xs[i64.max 0 (i64.min (n - 1) (a + d))
                                , i64.max 0 (i64.min (m - 1) (b + e))
                                , i64.max 0 (i64.min (k - 1) (c + f))]
                            let w = f32.i64 (a + 2 * b - 3 * c) / 64
                            in w * (at (-1) 0 0 + at 1 0 0) + at 0 (-1) 0 / 2 - at 0 1 0 / 2
                               + at 0 0 (-1) / 4
                               + at 0 0 1 / 8)

-- ==
-- entry: sources
-- input { 0i64 0i64 0i64 }
-- input { 1i64 1i64 4i64 }
-- input { 5i64 7i64 9i64 }
-- input { 33i64 40i64 17i64 }
-- input { 64i64 129i64 8i64 }
entry sources (n: i64) (m: i64) (steps: i64) : [][]f32 =
  loop xs = tabulate_2d n m (\i j -> f32.i64 ((i * 3 + j * 5) % 64) / 8)
  for t < steps do
    let ys =
      tabulate_2d n m (\i j ->
                         0.5 * (xs[(i + 1) % n, j] + xs[(i - 1) % n, j]) - 0.25 * xs[i, (j - 1) % m])
    let ys[n / 2, m / 2] = ys[n / 2, m / 2] + f32.sin (0.3 * f32.i64 t)
    let ys[0] = replicate m (f32.i64 (t % 3))
    in ys
