-- Stencils of planes of an array of three dimensions: rows that are whole vectors in planes that
-- begin inside one, and the other way round.
-- tolerance: exact

def space (n: i64) (m: i64) : [3][n][m]f32 =
  tabulate_3d 3 n m (\i j k -> f32.i64 ((i * 331 + j * 7919 + k * 13) % 64) / 8)

def mean [n] [m] (xs: [n][m]f32) : [n][m]f32 =
  stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
             (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
             (rep (rep ()))
             xs

-- ==
-- entry: plane part
-- input { 1i64 5i64 1i64 }
-- input { 37i64 40i64 1i64 }
-- input { 37i64 41i64 1i64 }
-- input { 36i64 41i64 2i64 }
-- input { 64i64 44i64 0i64 }
-- input { 33i64 68i64 2i64 }
entry plane (n: i64) (m: i64) (i: i64) : [n][m]f32 = mean (space n m)[i]

entry part (n: i64) (m: i64) (i: i64) : [][]f32 = mean (space n m)[1, i / 2:n - i / 2]
