-- Stencils with what stands before and behind them: one node each (tests/core/passes/fuse shows it).
-- tolerance: exact

def grid (n: i64) (m: i64) : [n][m]i32 = tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 13) % 31))

def cross [n] [m] (xs: [n][m]i32) : *[n][m]i32 =
  stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
             (\() v -> v[0] + 2 * v[1] + 3 * v[2] + 5 * v[3] + 7 * v[4])
             (rep (rep ()))
             xs

-- ==
-- entry: produced produced_edges two_producers small_first composed wrapped reduced several chained converged tuples
-- input { 0i64 0i64 }
-- input { 1i64 1i64 }
-- input { 2i64 3i64 }
-- input { 5i64 1i64 }
-- input { 16i64 67i64 }
-- input { 41i64 129i64 }
entry produced (n: i64) (m: i64) = cross (map (map (\x -> 2 * x + 1)) (grid n m))

entry produced_edges (n: i64) (m: i64) =
  let xs = map (map (\x -> x * x)) (grid n m)
  in map2 (map2 (-))
          (stencil_2d_with (#mirror, #wrap) [(-2, 3), (1, -2), (0, 0)] (\() v -> v[0] + 2 * v[1] - v[2]) (rep (rep ())) xs)
          (stencil_2d_with (#constant 5, #clamp) [(-1, 0), (0, 2)] (\() v -> v[0] - v[1]) (rep (rep ())) xs)

entry two_producers (n: i64) (m: i64) =
  cross (map2 (map2 (\x y -> x - y)) (grid n m) (transpose (grid m n)))

entry small_first (n: i64) (m: i64) =
  let xs = map (map u8.i32) (grid n m)
  in stencil_2d_with (#wrap, #mirror)
                     [(-1, -1), (0, 0), (1, 1)]
                     (\() v -> v[0] * v[1] + v[2])
                     (rep (rep ()))
                     (map (map i32.u8) xs)

-- Across, then down: each axis is moved along once.
entry composed (n: i64) (m: i64) =
  let across = stencil_2d_with (#clamp, #mirror) [(0, -2), (0, 1)] (\() v -> v[1] - v[0]) (rep (rep ())) (grid n m)
  in stencil_2d_with (#clamp, #wrap) [(-1, 0), (2, 0)] (\() v -> 3 * v[1] - v[0]) (rep (rep ())) across

entry wrapped (n: i64) (m: i64) =
  let once = stencil_2d_with (#wrap, #wrap) [(-1, 0), (0, 1)] (\() v -> v[1] - v[0]) (rep (rep ())) (grid n m)
  in stencil_2d_with (#wrap, #wrap) [(-1, 2), (1, 0)] (\() v -> 3 * v[1] - v[0]) (rep (rep ())) once

entry reduced (n: i64) (m: i64) : ([n][m]i32, i32, i32) =
  let xs = grid n m
  let ys = cross xs
  in ( ys
     , i32.sum (flatten (map2 (map2 (\x y -> (x - y) * (x - y))) xs ys))
     , i32.maximum (flatten (map2 (map2 (\x y -> i32.abs (x - y))) xs ys))
     )

entry several (n: i64) (m: i64) =
  let xs = grid n m
  let down = stencil_2d [(-1, 0), (1, 0)] (\() v -> v[1] - v[0]) (rep (rep ())) xs
  let across = stencil_2d [(0, -1), (0, 1)] (\() v -> v[1] - v[0]) (rep (rep ())) xs
  in map2 (map2 (\a b -> i32.abs a + i32.abs b)) down across

entry chained (n: i64) (m: i64) = cross (cross (cross (grid n m)))

entry converged (n: i64) (m: i64) : ([n][m]i32, i32) =
  let (xs, _, steps) =
    loop (xs, change, steps) = (grid n m, 1i32, 0i32)
    while change > 0 && steps < 20 do
      let ys =
        stencil_2d [(-1, 0), (0, -1), (0, 1), (1, 0)]
                   (\() v -> (v[0] + v[1] + v[2] + v[3]) / 4)
                   (rep (rep ()))
                   xs
      in (ys, i32.sum (flatten (map2 (map2 (\x y -> i32.abs (x - y))) xs ys)), steps + 1)
  in (xs, steps)

entry tuples (n: i64) (m: i64) =
  let pairs = map (map (\x -> (x + 1, {a = f32.i32 x, b = x > 5}))) (grid n m)
  in stencil_2d [(-1, 1), (0, 0)]
                (\() v -> v[0].0 + i32.f32 v[1].1.a + (if v[0].1.b then 1 else 0))
                (rep (rep ()))
                pairs

-- ==
-- entry: line space
-- input { 0i64 }
-- input { 1i64 }
-- input { 3i64 }
-- input { 18i64 }
entry line (n: i64) =
  let xs = map (\i -> i32.i64 (i * 37 % 19)) (iota (n * 53))
  let ys = map (\x -> x * x - 3) xs
  let zs = stencil_1d_with #mirror [-3, 0, 2] (\() v -> v[0] + 2 * v[1] - v[2]) (rep ()) ys
  in (zs, i32.sum (map (\z -> z % 7) zs))

entry space (n: i64) =
  let xs = tabulate_3d n (n + 1) 9 (\i j k -> i32.i64 ((i * 3 + j * 5 + k * 7) % 23))
  let ys = map (map (map (\x -> 2 * x - 1))) xs
  let zs =
    stencil_3d_with (#wrap, #clamp, #constant 0)
                    [(-1, 0, 0), (0, 1, 0), (0, 0, 0)]
                    (\c v -> c + v[0] - 2 * v[1] + v[2])
                    xs
                    ys
  in (zs, i32.sum (flatten_3d zs))
