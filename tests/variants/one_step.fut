-- One step of stencils with long and lopsided reaches, every boundary, sizes around what an
-- invocation and a workgroup take. Compared with the interpreter bit by bit.
-- tolerance: exact

def plane (n: i64) (m: i64) : [n][m]f32 = tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 13) % 64) / 8)

def cube (n: i64) (m: i64) (k: i64) : [n][m][k]f32 =
  tabulate_3d n m k (\a b c -> f32.i64 ((a * 3 + b * 5 + c * 7) % 64) / 8)

-- ==
-- entry: star cross_mirror cross_wrap cross_constant
-- input { 0i64 3i64 }
-- input { 1i64 1i64 }
-- input { 2i64 5i64 }
-- input { 3i64 2i64 }
-- input { 7i64 8i64 }
-- input { 17i64 31i64 }
-- input { 31i64 32i64 }
-- input { 33i64 129i64 }
-- input { 64i64 256i64 }
entry star (n: i64) (m: i64) =
  stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
             (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
             (rep (rep ()))
             (plane n m)

def cross (edges: (boundary f32, boundary f32)) (n: i64) (m: i64) =
  stencil_2d_with edges
                  [(-3, 0), (-2, 1), (0, -2), (0, 0), (0, 5), (2, 0), (3, -1)]
                  (\() v -> v[0] - 2f32 * v[1] + 3f32 * v[2] / (1f32 + v[3]) + v[4] - v[5] * v[6])
                  (rep (rep ()))
                  (plane n m)

entry cross_mirror (n: i64) (m: i64) = cross (#mirror, #mirror) n m
entry cross_wrap (n: i64) (m: i64) = cross (#wrap, #clamp) n m
entry cross_constant (n: i64) (m: i64) = cross (#constant 3f32, #constant 5f32) n m

-- ==
-- entry: long box several kinds empty
-- input { 5i64 6i64 }
-- input { 37i64 53i64 }
-- input { 48i64 64i64 }
entry long (n: i64) (m: i64) =
  stencil_2d (map (\k -> if k < 33 then (k - 16, 0) else (0, k - 49)) (iota 66))
             (\() v -> f32.sum v)
             (rep (rep ()))
             (plane n m)

entry box (n: i64) (m: i64) =
  stencil_2d_with (#mirror, #clamp)
                  (map (\k -> (k / 5 - 2, k % 5 - 2)) (iota 25))
                  (\() v -> reduce f32.max 0f32 v - v[12])
                  (rep (rep ()))
                  (plane n m)

entry several (n: i64) (m: i64) =
  let ks = tabulate_2d n m (\i j -> i32.i64 (i * j))
  let cells = stencil_2d [(0, 1), (1, 0), (0, 0)] (\k v -> (v[0] - v[1], k + 1, v[2] < v[1])) ks (plane n m)
  in (map (map (.0)) cells, map (map (.1)) cells, map (map (.2)) cells)

entry kinds (n: i64) (m: i64) =
  let f = tabulate_2d n m (\i j -> f64.i64 (i * 5 + j))
  let b = tabulate_2d n m (\i j -> u8.i64 (i * 5 + j))
  let l = tabulate_2d n m (\i j -> i * 5 + j)
  in ( stencil_2d [(-2, 0), (0, 0), (1, 2)] (\() v -> v[0] * v[1] - v[2]) (rep (rep ())) f
     , stencil_2d_with (#wrap, #constant 7u8) [(-2, 0), (0, 0), (1, 2)] (\() v -> v[0] * v[1] - v[2]) (rep (rep ())) b
     , stencil_2d_with (#clamp, #mirror) [(0, -1), (0, 0), (0, 1)] (\() v -> v[0] * v[1] - v[2]) (rep (rep ())) l
     )

entry empty (n: i64) (m: i64) =
  ( stencil_2d [(-1, -1)] (\() _ -> 1f32) (rep (rep ())) (plane n m)
  , stencil_2d [(0, 0)] (\() v -> v[0] + 1) (rep (rep ())) (plane n m)
  )

-- ==
-- entry: seven far
-- input { 0i64 1i64 2i64 }
-- input { 1i64 1i64 1i64 }
-- input { 2i64 3i64 2i64 }
-- input { 9i64 17i64 33i64 }
-- input { 16i64 16i64 32i64 }
entry seven (n: i64) (m: i64) (k: i64) =
  stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
             (\p v -> p + v[0] + v[1] + v[2] - 6f32 * v[3] + v[4] + v[5] + v[6])
             (cube n m k)
             (cube n m k)

entry far (n: i64) (m: i64) (k: i64) =
  stencil_3d_with (#mirror, #constant 2f32, #wrap)
                  [(-4, 0, 0), (-1, 2, 1), (0, -4, 0), (0, 0, -4), (0, 0, 0), (0, 0, 4), (0, 4, 0), (2, -1, 0), (4, 0, 0)]
                  (\() v -> v[0] - v[1] + v[2] * v[3] - v[4] + v[5] * v[6] - v[7] + v[8])
                  (rep (rep (rep ())))
                  (cube n m k)

-- Rows outside of a space: clamped where they are loaded, or done apart.
-- ==
-- entry: thick walls
-- input { 0i64 3i64 2i64 }
-- input { 1i64 1i64 1i64 }
-- input { 2i64 3i64 4i64 }
-- input { 3i64 2i64 3i64 }
-- input { 4i64 5i64 8i64 }
-- input { 7i64 8i64 31i64 }
-- input { 8i64 9i64 32i64 }
-- input { 9i64 17i64 33i64 }
-- input { 13i64 11i64 132i64 }
entry thick (n: i64) (m: i64) (k: i64) =
  stencil_3d [ (-2, 0, 0)
             , (-1, 0, 0)
             , (0, -2, 0)
             , (0, -1, 0)
             , (0, 0, -2)
             , (0, 0, -1)
             , (0, 0, 0)
             , (0, 0, 1)
             , (0, 0, 2)
             , (0, 1, 0)
             , (0, 2, 0)
             , (1, 0, 0)
             , (2, 0, 0)
             ]
             (\p v -> p + v[0] - v[1] * v[2] + v[3] - v[4] + v[5] * v[6] + v[7] - v[8] + v[9] - v[10] * v[11] + v[12])
             (cube n m k)
             (map (map (map (+ 1))) (cube n m k))

entry walls (n: i64) (m: i64) (k: i64) =
  stencil_3d_with (#wrap, #mirror, #constant 5f32)
                  [(-2, 0, 0), (-1, 1, 2), (0, -2, 0), (0, 0, -2), (0, 0, 0), (0, 0, 1), (0, 2, 0), (1, 0, -1), (2, -1, 0)]
                  (\() v -> v[0] - v[1] * v[2] + v[3] - v[4] + v[5] * v[6] + v[7] - v[8])
                  (rep (rep (rep ())))
                  (cube n m k)
