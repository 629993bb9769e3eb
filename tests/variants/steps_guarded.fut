-- Loops of maps that read neighbours behind tests of the position, which become stencils with windows
-- on arrays of one constant: several steps at once, in the plane, in space and on a line, with
-- divisions by what a call knows. Results are compared with the interpreter bit by bit.
-- tolerance: exact

def plane (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 13) % 64) / 8)

-- ==
-- entry: edges zeros
-- input { 2i64 2i64 9i64 0.3f32 -7f32 }
-- input { 2i64 3i64 8i64 0.3f32 1e30f32 }
-- input { 37i64 41i64 0i64 0.3f32 -7f32 }
-- input { 37i64 41i64 1i64 0.3f32 -7f32 }
-- input { 37i64 41i64 7i64 0.3f32 0.1f32 }
-- input { 64i64 32i64 9i64 -0.3f32 16f32 }
-- input { 101i64 67i64 23i64 0.3f32 -7f32 }
-- input { 200i64 260i64 13i64 0.7f32 3f32 }
entry edges (n: i64) (m: i64) (steps: i64) (rx: f32) (ry: f32) : [n][m]f32 =
  loop xs = plane n m
  for _i < steps do
    tabulate_2d n m (\i j ->
                       let x = xs[i, j]
                       let across =
                         if j == 0
                         then xs[i, j + 1] - x
                         else if j == m - 1
                         then xs[i, j - 1] - x
                         else xs[i, j + 1] + xs[i, j - 1] - 2 * x
                       let down =
                         if i == 0
                         then xs[i + 1, j] - x
                         else if i == n - 1
                         then xs[i - 1, j] - x
                         else xs[i + 1, j] + xs[i - 1, j] - 2 * x
                       in x + 0.01f32 * (across / rx + down / ry + (1 - x) / 50f32))

entry zeros (n: i64) (m: i64) (steps: i64) (rx: f32) (ry: f32) : [n][m]f32 =
  loop xs = plane n m
  for _i < steps do
    tabulate_2d n m (\i j ->
                       let up = if i > 0 then xs[i - 1, j] else 0
                       let right = if j < m - 1 then xs[i, j + 1] else 0
                       in 0.5f32 * xs[i, j] + 0.1f32 * (up / rx - right / ry))

-- ==
-- entry: space
-- input { 2i64 2i64 2i64 5i64 }
-- input { 9i64 12i64 40i64 1i64 }
-- input { 9i64 12i64 40i64 6i64 }
-- input { 33i64 40i64 131i64 5i64 }
entry space (n: i64) (m: i64) (k: i64) (steps: i64) : [n][m][k]f32 =
  loop xs = tabulate_3d n m k (\a b c -> f32.i64 ((a * 3 + b * 7 + c * 13) % 32))
  for _i < steps do
    tabulate_3d n m k (\a b c ->
                         if a > 0 && a < n - 1 && b > 0 && b < m - 1 && c > 0 && c < k - 1
                         then 0.15f32
                              * (xs[a - 1, b, c] + xs[a + 1, b, c] + xs[a, b - 1, c] + xs[a, b + 1, c]
                                 + xs[a, b, c - 1]
                                 + xs[a, b, c + 1])
                              - 0.1f32 * xs[a, b, c]
                         else xs[a, b, c])

-- ==
-- entry: line
-- input { 2i64 9i64 }
-- input { 1000i64 17i64 }
entry line (n: i64) (steps: i64) : [n]i32 =
  loop xs = tabulate n (\i -> i32.i64 (i * 31 % 17))
  for _i < steps do
    tabulate n (\i ->
                  if i == 0
                  then xs[i + 1]
                  else if i == n - 1
                  then xs[i - 1] * 2
                  else xs[i - 1] ^ xs[i + 1] + xs[i])
