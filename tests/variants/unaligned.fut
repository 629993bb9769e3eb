-- Rows that are not whole vectors: every remainder of a row's length, and in space of a plane's.
-- tolerance: exact

def plane (n: i64) (m: i64) : [n][m]f32 = tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 13) % 64) / 8)

def cube (n: i64) (m: i64) (k: i64) : [n][m][k]f32 =
  tabulate_3d n m k (\a b c -> f32.i64 ((a * 3 + b * 5 + c * 7) % 64) / 8)

-- ==
-- entry: five lopsided gauss doubles two
-- input { 1i64 7i64 }
-- input { 4i64 9i64 }
-- input { 7i64 13i64 }
-- input { 11i64 18i64 }
-- input { 13i64 23i64 }
-- input { 30i64 129i64 }
-- input { 31i64 130i64 }
-- input { 33i64 131i64 }
-- input { 65i64 257i64 }
entry five (n: i64) (m: i64) =
  stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
             (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
             (rep (rep ()))
             (plane n m)

entry lopsided (n: i64) (m: i64) =
  stencil_2d_with (#mirror, #wrap)
                  [(-3, 0), (-2, 1), (0, -2), (0, 0), (0, 5), (2, 0), (3, -1)]
                  (\c v -> c * v[0] - 2f32 * v[1] + 3f32 * v[2] / (1f32 + v[3]) + v[4] - v[5] * v[6])
                  (plane n m)
                  (map (map (+ 1)) (plane n m))

entry gauss (n: i64) (m: i64) =
  stencil_2d_with (#constant 3f32, #clamp)
                  (map (\k -> (k / 5 - 2, k % 5 - 2)) (iota 25))
                  (\() v -> f32.sum (map2 (\k x -> f32.i64 (k % 4) * x) (iota 25) v))
                  (rep (rep ()))
                  (plane n m)

entry doubles (n: i64) (m: i64) =
  stencil_2d_with (#wrap, #constant 7f64)
                  [(-2, 0), (0, 0), (1, 2), (0, -1)]
                  (\() v -> v[0] * v[1] - v[2] + v[3])
                  (rep (rep ()))
                  (map (map f64.f32) (plane n m))

entry two (n: i64) (m: i64) =
  let cells =
    stencil_2d [(0, 1), (1, 0), (0, 0)]
               (\k v -> (v[0] - v[1], k + v[2]))
               (plane n m)
               (map (map (* 2)) (plane n m))
  in (map (map (.0)) cells, map (map (.1)) cells)

-- ==
-- entry: seven far cube_doubles
-- input { 5i64 3i64 7i64 }
-- input { 9i64 9i64 9i64 }
-- input { 11i64 11i64 11i64 }
-- input { 12i64 7i64 13i64 }
-- input { 13i64 5i64 31i64 }
-- input { 17i64 9i64 131i64 }
-- input { 19i64 11i64 133i64 }
-- input { 9i64 8i64 33i64 }
-- input { 12i64 9i64 34i64 }
entry seven (n: i64) (m: i64) (k: i64) =
  stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
             (\p v -> p + v[0] + v[1] + v[2] - 6f32 * v[3] + v[4] + v[5] + v[6])
             (cube n m k)
             (cube n m k)

entry far (n: i64) (m: i64) (k: i64) =
  stencil_3d_with (#mirror, #constant 2f32, #wrap)
                  [(-4, 0, 0), (-1, 2, 1), (0, -3, 0), (0, 0, -4), (0, 0, 0), (0, 0, 3), (0, 2, 0), (2, -1, 0)]
                  (\() v -> v[0] - v[1] + v[2] * v[3] - v[4] + v[5] * v[6] - v[7])
                  (rep (rep (rep ())))
                  (cube n m k)

entry cube_doubles (n: i64) (m: i64) (k: i64) =
  stencil_3d [(-1, 0, 0), (0, 1, 0), (0, 0, -1), (1, 0, 1)]
             (\() v -> v[0] - v[1] * v[2] + v[3])
             (rep (rep (rep ())))
             (map (map (map f64.f32)) (cube n m k))

-- Ends of rows in space, minded cell by cell: constants, a mirror that reaches one cell, several arrays,
-- reaches of a whole vector, and neighbours on one side alone, so that vectors beside the first and the last
-- row belong to no cell.
-- ==
-- entry: ends_constant ends_mirror ends_several ends_long ends_ahead ends_behind
-- input { 5i64 5i64 5i64 }
-- input { 9i64 7i64 3i64 }
-- input { 9i64 11i64 13i64 }
-- input { 11i64 9i64 65i64 }
-- input { 13i64 11i64 123i64 }
-- input { 9i64 67i64 131i64 }
-- input { 7i64 5i64 253i64 }
entry ends_constant (n: i64) (m: i64) (k: i64) =
  stencil_3d_with (#mirror, #clamp, #constant 5f32)
                  [(0, 0, -2), (-1, 0, 1), (0, -1, -1), (0, 0, 0), (0, 1, 2), (1, 0, 0)]
                  (\() v -> v[0] - 2f32 * v[1] + 3f32 * v[2] - v[3] + v[4] * v[5])
                  (rep (rep (rep ())))
                  (cube n m k)

entry ends_mirror (n: i64) (m: i64) (k: i64) =
  stencil_3d_with (#constant 2f32, #wrap, #mirror)
                  [(-2, 0, 1), (0, 0, -1), (0, 0, 0), (0, 1, 1), (1, -1, -1)]
                  (\() v -> v[0] - 2f32 * v[1] + 3f32 * v[2] - v[3] * v[4])
                  (rep (rep (rep ())))
                  (cube n m k)

entry ends_several (n: i64) (m: i64) (k: i64) =
  let cells =
    stencil_3d [(-1, 0, 0), (0, 1, -1), (0, 0, 0), (0, 0, 2)]
               (\p v -> (v[0].0 - v[1].1 + p, v[2].1 - v[3].0 * v[0].1))
               (cube n m k)
               (map (map (map (\x -> (x, 2f32 * x)))) (cube n m k))
  in (map (map (map (.0))) cells, map (map (map (.1))) cells)

entry ends_long (n: i64) (m: i64) (k: i64) =
  stencil_3d (map (\i -> if i < 9 then (0, 0, i - 4) else (i - 11, 0, 13 - i)) (iota 18))
             (\() v -> f32.sum (map2 (\i x -> f32.i64 i * x) (iota 18) v))
             (rep (rep (rep ())))
             (cube n m k)

entry ends_ahead (n: i64) (m: i64) (k: i64) =
  stencil_3d [(0, 0, -3), (0, 0, 1), (1, 0, 0), (0, 1, 4)]
             (\() v -> v[0] - v[1] + v[2] * v[3])
             (rep (rep (rep ())))
             (cube n m k)

entry ends_behind (n: i64) (m: i64) (k: i64) =
  stencil_3d [(0, 0, -3), (0, 0, 1), (-1, 0, -4), (0, -1, 0)]
             (\() v -> v[0] - v[1] + v[2] * v[3])
             (rep (rep (rep ())))
             (cube n m k)
