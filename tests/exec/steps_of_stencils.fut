-- Time steps in several tables: forces by neighbours, velocities and positions at the own place,
-- with ends that are held. One stencil computes a step; a test for the diagonal keeps a nest.
-- ==
-- entry: string
-- input { 12i64 9i32 }
-- input { 1i64 3i32 }
-- input { 2i64 3i32 }
-- input { 0i64 3i32 }
-- ==
-- entry: diagonal
-- input { 7i64 9i64 6i32 }
-- ==
-- entry: sheet
-- input { 7i64 9i64 6i32 }
-- input { 1i64 9i64 6i32 }
-- input { 2i64 1i64 6i32 }
-- input { 0i64 3i64 2i32 }

entry string (n: i64) (steps: i32) =
  let at (a: [n]f32) i = a[i64.max 0 (i64.min (n - 1) i)]
  let rest = map (\i -> f32.i64 (i * i % 7)) (iota n)
  in loop (ps, vs) = (rest, replicate n 0)
     for _i < steps do
       let fs = tabulate n (\i -> at ps (i - 1) - 2 * ps[i] + at ps (i + 1))
       let vs = tabulate n (\i -> if i == 0 || i == n - 1 then 0 else 0.875 * (vs[i] + 0.125 * fs[i]))
       let ps = tabulate n (\i -> if i == 1 then ps[i] else ps[i] + vs[i])
       in (ps, vs)

entry sheet (n: i64) (m: i64) (steps: i32) =
  let at (a: [n][m]f32) i j = if i < 0 || j < 0 || i >= n || j >= m then 1 else a[i, j]
  let rest = tabulate_2d n m (\i j -> f32.i64 ((i * 3 + j * j) % 5))
  let (ps, vs) =
    loop (ps, vs) = (rest, replicate n (replicate m 0))
    for t < steps do
      let fs =
        tabulate_2d n m (\i j ->
                           let d = at ps (i - 1) j + at ps (i + 1) j + at ps i (j - 1) + at ps i (j + 1)
                           in d - 4 * ps[i, j])
      let vs =
        tabulate_2d n m (\i j ->
                           if i == 0 && (j == 0 || j == m - 1) then f32.i32 t else vs[i, j] + 0.125 * fs[i, j])
      let ps = map2 (map2 (\p v -> p + 0.5 * v)) ps vs
      in (ps, vs)
  in (ps, vs, f32.sum (flatten ps))

entry diagonal (n: i64) (m: i64) (steps: i32) =
  let at (a: [n][m]f32) i j = if i < 0 || j < 0 || i >= n || j >= m then 1 else a[i, j]
  let rest = tabulate_2d n m (\i j -> f32.i64 ((i * 3 + j * j) % 5))
  let (ps, vs) =
    loop (ps, vs) = (rest, replicate n (replicate m 0))
    for t < steps do
      let fs =
        tabulate_2d n m (\i j ->
                           let d = at ps (i - 1) j + at ps (i + 1) j + at ps i (j - 1) + at ps i (j + 1)
                           in if i == j then d else d - 4 * ps[i, j])
      let vs =
        tabulate_2d n m (\i j ->
                           if i == 0 && (j == 0 || j == m - 1) then f32.i32 t else vs[i, j] + 0.125 * fs[i, j])
      let ps = map2 (map2 (\p v -> p + 0.5 * v)) ps vs
      in (ps, vs)
  in (ps, vs, f32.sum (flatten ps))
