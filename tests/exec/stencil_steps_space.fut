-- Spaces, several arrays, other elements and axes that wrap around: larger than the cache, so that the
-- cpu engine does several steps at once (lang/imp/schedule/lower_steps), and not in a `while` loop. Both give the
-- same bits.
-- tolerance: exact
-- ==
-- entry: space far_space
-- compiled input { 0i64 } output { true }
-- compiled input { 1i64 } output { true }
-- compiled input { 3i64 } output { true }
-- compiled input { 4i64 } output { true }
-- compiled input { 5i64 } output { true }
-- compiled input { 9i64 } output { true }
-- ==
-- entry: torus ring wrapped_space half_wrapped
-- compiled input { 0i64 } output { true }
-- compiled input { 1i64 } output { true }
-- compiled input { 2i64 } output { true }
-- compiled input { 17i64 } output { true }
-- ==
-- entry: fields doubles bytes wave wave_space wave_line
-- compiled input { 0i64 } output { true }
-- compiled input { 1i64 } output { true }
-- compiled input { 7i64 } output { true }
-- compiled input { 8i64 } output { true }
-- compiled input { 17i64 } output { true }

def same 'a [n] (equal: a -> a -> bool) (xs: [n]a) (ys: [n]a) = and (map2 equal xs ys)

def twice 'a (step: a -> a) (start: a) (steps: i64) : (a, a) =
  let blocked = loop xs = start for _i < steps do step xs
  let (_, plain) = loop (i, xs) = (0, start) while i < steps do (i + 1, step xs)
  in (blocked, plain)

entry space (steps: i64) =
  let start = tabulate_3d 67 199 511 (\i j k -> f32.i64 ((i * 31 + j * 17 + k * 7) % 1021))
  let power = tabulate_3d 67 199 511 (\i j k -> f32.i64 ((i + j + k) % 7))
  let step xs =
    stencil_3d_with (#clamp, #mirror, #constant 0.5f32)
                    [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, -1)]
                    (\p v -> 0.1f32 * p + 0.12f32 * (v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7]))
                    power
                    xs
  let (blocked, plain) = twice step start steps
  in same (==) (flatten_3d blocked) (flatten_3d plain)

entry far_space (steps: i64) =
  let start = tabulate_3d 270 55 463 (\i j k -> f32.i64 ((i * 31 + j * 17 + k * 7) % 1021))
  let step xs =
    stencil_3d [(-2, 0, 0), (0, -2, 0), (0, 0, -1), (0, 0, 2), (0, 1, 0), (1, 0, 0)]
               (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4] - v[5]))
               (rep (rep (rep ())))
               xs
  let (blocked, plain) = twice step start steps
  in same (==) (flatten_3d blocked) (flatten_3d plain)

entry wrapped_space (steps: i64) =
  let start = tabulate_3d 5 801 1601 (\i j k -> f32.i64 ((i * 31 + j * 17 + k * 7) % 1021))
  let step xs =
    stencil_3d_with (#wrap, #wrap, #wrap)
                    [(-1, 0, 0), (0, -1, 1), (0, 0, -1), (0, 1, 0), (1, 0, 0)]
                    (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] - v[4]))
                    (rep (rep (rep ())))
                    xs
  let (blocked, plain) = twice step start steps
  in same (==) (flatten_3d blocked) (flatten_3d plain)

entry torus (steps: i64) =
  let start = tabulate_2d 903 1031 (\i j -> f32.i64 ((i * 31 + j * 17) % 1021))
  let step xs =
    stencil_2d_with (#wrap, #wrap)
                    [(-1, 0), (0, -2), (0, 0), (0, 1), (2, 0)]
                    (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
                    (rep (rep ()))
                    xs
  let (blocked, plain) = twice step start steps
  in same (==) (flatten blocked) (flatten plain)

entry half_wrapped (steps: i64) =
  let start = tabulate_2d 3 300007 (\i j -> f32.i64 ((i * 31 + j * 17) % 1021))
  let step xs =
    stencil_2d_with (#wrap, #mirror)
                    [(-1, 0), (0, -2), (0, 0), (0, 1), (2, 0)]
                    (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
                    (rep (rep ()))
                    xs
  let (blocked, plain) = twice step start steps
  in same (==) (flatten blocked) (flatten plain)

entry ring (steps: i64) =
  let start = map (\i -> f32.i64 (i * 7919 % 1021)) (iota 800003)
  let step xs =
    stencil_1d_with #wrap [-2, 0, 1] (\() v -> 0.5f32 * v[0] - v[1] + 0.25f32 * v[2]) (rep ()) xs
  let (blocked, plain) = twice step start steps
  in same (==) blocked plain

-- Two arrays that are made of each other, of different types.
entry fields (steps: i64) =
  let start = unzip (map (\i -> (f32.i64 (i * 31 % 1021), i % 100)) (iota (703 * 811)))
  let start = (unflatten start.0, unflatten start.1 :> [703][811]i64)
  let step (xs: [703][811]f32, ns: [703][811]i64) =
    unzip (map unzip
               (stencil_2d [(0, 0), (-1, 0), (0, 1), (1, -1)]
                           (\n v -> (0.3f32 * (v[0] + v[1] + v[2]) - f32.i64 (n % 3), n + i64.f32 v[3] % 5))
                           ns
                           xs))
  let ((xs, ns), (ys, ms)) = twice step start steps
  in same (==) (flatten xs) (flatten ys) && same (==) (flatten ns) (flatten ms)

entry doubles (steps: i64) =
  let start = tabulate_2d 607 999 (\i j -> f64.i64 ((i * 31 + j * 17) % 1021))
  let step xs =
    stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
               (\() v -> 0.2f64 * (v[0] + v[1] + v[2] + v[3] + v[4]))
               (rep (rep ()))
               xs
  let (blocked, plain) = twice step start steps
  in same (==) (flatten blocked) (flatten plain)

entry bytes (steps: i64) =
  let start = tabulate_2d 1709 2011 (\i j -> i8.i64 ((i * 31 + j * 17) % 1021))
  let step xs =
    stencil_2d_with (#mirror, #constant 3i8)
                    [(-1, 0), (0, -1), (0, 0), (0, 2), (1, 0)]
                    (\() v -> v[0] + v[1] * 3 + v[2] + v[3] ^ v[4])
                    (rep (rep ()))
                    xs
  let (blocked, plain) = twice step start steps
  in same (==) (flatten blocked) (flatten plain)

-- The step before is handed over.
entry wave (steps: i64) =
  let start = tabulate_2d 703 1021 (\i j -> f32.i64 ((i * 31 + j * 17) % 1021))
  let step (before: [703][1021]f32, now: [703][1021]f32) =
    ( now
    , stencil_2d_with (#mirror, #constant 2f32)
                      [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
                      (\old v -> 1.9f32 * v[0] - 0.9f32 * old + 0.25f32 * (v[1] + v[2] + v[3] + v[4] - 4f32 * v[0]))
                      before
                      now
    )
  let ((as, bs), (cs, ds)) = twice step (start, map (map (+ 1)) start) steps
  in same (==) (flatten as) (flatten cs) && same (==) (flatten bs) (flatten ds)

entry wave_space (steps: i64) =
  let start = tabulate_3d 33 211 513 (\i j k -> f32.i64 ((i * 31 + j * 17 + k * 7) % 1021))
  let step (now: [33][211][513]f32, before: [33][211][513]f32) =
    ( stencil_3d [(0, 0, 0), (-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)]
                 (\old v -> 1.9f32 * v[0] - 0.9f32 * old + 0.1f32 * (v[1] + v[2] + v[3] + v[4] + v[5] + v[6] - 6f32 * v[0]))
                 before
                 now
    , now
    )
  let ((as, bs), (cs, ds)) = twice step (start, map (map (map (+ 1))) start) steps
  in same (==) (flatten_3d as) (flatten_3d cs) && same (==) (flatten_3d bs) (flatten_3d ds)

entry wave_line (steps: i64) =
  let start = map (\i -> f32.i64 (i * 7919 % 1021)) (iota 800003)
  let step (before: [800003]f32, now: [800003]f32) =
    ( now
    , stencil_1d [-1, 0, 2]
                 (\old v -> 0.5f32 * v[0] - 0.3f32 * old + 0.25f32 * v[2] + v[1])
                 before
                 now
    )
  let ((as, bs), (cs, ds)) = twice step (start, map (+ 1) start) steps
  in same (==) as cs && same (==) bs ds
