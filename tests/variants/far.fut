-- Neighbours further along rows than one vector reaches: the ends of rows are done apart. Sums of
-- lines are added four by four (share_sums); all values are whole, so any order has the same bits.
-- tolerance: exact

def plane (n: i64) (m: i64) : [n][m]f32 = tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 13) % 64))

-- ==
-- entry: star columns box uneven double
-- input { 0i64 0i64 }
-- input { 3i64 64i64 }
-- input { 11i64 20i64 }
-- input { 19i64 24i64 }
-- input { 20i64 31i64 }
-- input { 21i64 28i64 }
-- input { 37i64 44i64 }
-- input { 40i64 129i64 }
-- input { 41i64 160i64 }
-- input { 66i64 257i64 }
entry star (n: i64) (m: i64) =
  stencil_2d [ (-9, 0)
             , (-8, 0)
             , (-7, 0)
             , (-6, 0)
             , (-5, 0)
             , (-4, 0)
             , (-3, 0)
             , (-2, 0)
             , (-1, 0)
             , (0, -9)
             , (0, -8)
             , (0, -7)
             , (0, -6)
             , (0, -5)
             , (0, -4)
             , (0, -3)
             , (0, -2)
             , (0, -1)
             , (0, 0)
             , (0, 1)
             , (0, 2)
             , (0, 3)
             , (0, 4)
             , (0, 5)
             , (0, 6)
             , (0, 7)
             , (0, 8)
             , (0, 9)
             , (1, 0)
             , (2, 0)
             , (3, 0)
             , (4, 0)
             , (5, 0)
             , (6, 0)
             , (7, 0)
             , (8, 0)
             , (9, 0)
             ]
             (\() v -> f32.sum v)
             (rep (rep ()))
             (plane n m)

entry columns (n: i64) (m: i64) =
  stencil_2d_with (#mirror, #constant 2f32)
                  (map (\k -> (k - 6, 0)) (iota 13))
                  (\x v -> x - f32.sum v)
                  (plane n m)
                  (plane n m)

entry box (n: i64) (m: i64) =
  stencil_2d_with (#wrap, #mirror)
                  (map (\k -> (k / 11 - 5, k % 11 - 5)) (iota 121))
                  (\() v -> f32.sum v)
                  (rep (rep ()))
                  (plane n m)

entry uneven (n: i64) (m: i64) =
  stencil_2d_with (#constant 5f32, #wrap)
                  [(-2, -13), (-1, 6), (0, 0), (0, 17), (3, -5)]
                  (\c v -> c * v[0] - v[1] + v[2] * v[3] - v[4])
                  (plane n m)
                  (plane n m)

entry double (n: i64) (m: i64) =
  stencil_2d_with (#clamp, #clamp)
                  [(-1, -3), (0, 0), (0, 5), (2, 0)]
                  (\() v -> v[0] * v[1] - v[2] + v[3])
                  (rep (rep ()))
                  (map (map f64.f32) (plane n m))
