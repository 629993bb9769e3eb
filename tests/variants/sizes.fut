-- Every boundary with reaches of two and more on sizes around what tiles, strips and workgroups
-- take, and prime ones; loops of none, one, and about as many steps as one launch does.
-- tolerance: exact

def plane (n: i64) (m: i64) : [n][m]f32 = tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 13) % 64) / 8)

def cube (n: i64) (m: i64) (k: i64) : [n][m][k]f32 =
  tabulate_3d n m k (\a b c -> f32.i64 ((a * 3 + b * 5 + c * 7) % 64) / 8)

def cross [n] [m] (edges: (boundary f32, boundary f32)) (xs: [n][m]f32) : *[n][m]f32 =
  stencil_2d_with edges
                  [(-2, 0), (-1, 1), (0, -3), (0, 0), (0, 2), (1, -1), (3, 0)]
                  (\() v -> 0.125f32 * (v[0] - v[1] + v[2] + v[3] + v[4] + v[5] - v[6]))
                  (rep (rep ()))
                  xs

-- ==
-- entry: clamped mirrored wrapped fixed mixed
-- input { 0i64 0i64 2i64 }
-- input { 1i64 1i64 3i64 }
-- input { 2i64 3i64 2i64 }
-- input { 3i64 2i64 5i64 }
-- input { 7i64 127i64 1i64 }
-- input { 31i64 33i64 0i64 }
-- input { 32i64 32i64 1i64 }
-- input { 33i64 31i64 3i64 }
-- input { 32i64 128i64 4i64 }
-- input { 37i64 129i64 5i64 }
-- input { 61i64 113i64 7i64 }
-- input { 64i64 112i64 8i64 }
-- input { 67i64 111i64 9i64 }
entry clamped (n: i64) (m: i64) (steps: i64) = iterate (i32.i64 steps) (cross (#clamp, #clamp)) (plane n m)
entry mirrored (n: i64) (m: i64) (steps: i64) = iterate (i32.i64 steps) (cross (#mirror, #mirror)) (plane n m)
entry wrapped (n: i64) (m: i64) (steps: i64) = iterate (i32.i64 steps) (cross (#wrap, #wrap)) (plane n m)

entry fixed (n: i64) (m: i64) (steps: i64) =
  iterate (i32.i64 steps) (cross (#constant 2f32, #constant 0.5f32)) (plane n m)

entry mixed (n: i64) (m: i64) (steps: i64) = iterate (i32.i64 steps) (cross (#mirror, #constant 1f32)) (plane n m)

def star [n] [m] [k] (edges: (boundary f32, boundary f32, boundary f32)) (xs: [n][m][k]f32) : *[n][m][k]f32 =
  stencil_3d_with edges
                  [(-2, 0, 0), (0, -1, 0), (0, 0, -2), (0, 0, 0), (0, 0, 1), (0, 2, 0), (1, 0, 0)]
                  (\() v -> 0.125f32 * (v[0] - v[1] + v[2] + v[3] + v[4] + v[5] - v[6]))
                  (rep (rep (rep ())))
                  xs

-- ==
-- entry: clamped_3d mirrored_3d wrapped_3d fixed_3d
-- input { 0i64 1i64 2i64 2i64 }
-- input { 1i64 1i64 1i64 3i64 }
-- input { 2i64 3i64 2i64 1i64 }
-- input { 3i64 2i64 3i64 4i64 }
-- input { 7i64 15i64 17i64 0i64 }
-- input { 8i64 16i64 16i64 1i64 }
-- input { 9i64 17i64 15i64 2i64 }
-- input { 11i64 13i64 29i64 3i64 }
-- input { 5i64 7i64 131i64 1i64 }
entry clamped_3d (n: i64) (m: i64) (k: i64) (steps: i64) =
  iterate (i32.i64 steps) (star (#clamp, #clamp, #clamp)) (cube n m k)

entry mirrored_3d (n: i64) (m: i64) (k: i64) (steps: i64) =
  iterate (i32.i64 steps) (star (#mirror, #mirror, #mirror)) (cube n m k)

entry wrapped_3d (n: i64) (m: i64) (k: i64) (steps: i64) =
  iterate (i32.i64 steps) (star (#wrap, #wrap, #wrap)) (cube n m k)

entry fixed_3d (n: i64) (m: i64) (k: i64) (steps: i64) =
  iterate (i32.i64 steps) (star (#constant 2f32, #constant 1f32, #constant 0.5f32)) (cube n m k)
