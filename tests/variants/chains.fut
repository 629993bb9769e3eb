-- Stencils one after another outside of loops: done in one launch where they fit.
-- tolerance: exact

def start (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 13) % 64) / 8)

def mean [n] [m] (xs: [n][m]f32) : [n][m]f32 =
  stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
             (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
             (rep (rep ()))
             xs

-- ==
-- entry: twice passes edges slopes kept other_type heated
-- input { 1i64 1i64 }
-- input { 2i64 5i64 }
-- input { 33i64 70i64 }
-- input { 129i64 97i64 }
entry twice (n: i64) (m: i64) = mean (mean (start n m))

entry passes (n: i64) (m: i64) =
  let along (o: [5](i64, i64)) (xs: [n][m]f32) =
    stencil_2d_with (#mirror, #mirror)
                    o
                    (\() v -> 0.1f32 * v[0] + 0.2f32 * v[1] + 0.4f32 * v[2] + 0.2f32 * v[3] + 0.1f32 * v[4])
                    (rep (rep ()))
                    xs
  in along [(-2, 0), (-1, 0), (0, 0), (1, 0), (2, 0)]
           (along [(0, -2), (0, -1), (0, 0), (0, 1), (0, 2)] (start n m))

entry edges (n: i64) (m: i64) =
  let s e (xs: [n][m]f32) = stencil_2d_with e [(-1, 2), (0, 0), (2, -1)] (\() v -> v[0] - v[1] + 0.5f32 * v[2]) (rep (rep ())) xs
  in ( s (#clamp, #constant 3f32) (s (#constant 1f32, #mirror) (s (#mirror, #clamp) (start n m)))
     , s (#wrap, #wrap) (s (#wrap, #wrap) (map (map (* 2)) (start n m)))
     )

-- Two arrays between, of which the last one takes both.
entry slopes (n: i64) (m: i64) =
  let xs = start n m
  let (down, right) =
    unzip (map unzip (stencil_2d [(0, 0), (1, 0), (0, 1)] (\() v -> (v[1] * v[1] - v[0], v[2] - v[0] * v[0])) (rep (rep ())) xs))
  in stencil_2d_with (#clamp, #mirror) [(-1, 0), (0, -1), (0, 0)] (\d v -> d + v[0] * v[1] - v[2]) down right

-- What others want as well stays.
entry kept (n: i64) (m: i64) =
  let once = mean (start n m)
  in (once, mean once)

entry other_type (n: i64) (m: i64) =
  let wide = stencil_2d [(0, -1), (0, 1)] (\() v -> f64.f32 v[0] * f64.f32 v[1]) (rep (rep ())) (start n m)
  in stencil_2d [(-1, 0), (1, 0)] (\() v -> f32.f64 (v[0] - v[1])) (rep (rep ())) wide

entry heated (n: i64) (m: i64) =
  let power = tabulate_2d n m (\i j -> f32.i64 (i - j))
  let s (xs: [n][m]f32) = stencil_2d [(-1, 0), (1, 0), (0, 3)] (\p v -> p + v[0] * v[2] - v[1]) power xs
  in s (s (start n m))

-- ==
-- entry: line space
-- input { 1i64 }
-- input { 7i64 }
-- input { 19i64 }
entry line (n: i64) =
  let s (xs: [n * 60]f32) = stencil_1d [-1, 0, 2] (\() v -> 0.25f32 * v[0] + 0.5f32 * v[1] + 0.25f32 * v[2]) (rep ()) xs
  in s (s (s (map (\i -> f32.i64 (i * i % 97)) (iota (n * 60)))))

entry space (n: i64) =
  let s (xs: [n][n][9]f32) =
    stencil_3d [(-1, 0, 0), (0, 1, 0), (0, 0, -1)] (\() v -> v[0] * v[1] - v[2]) (rep (rep (rep ()))) xs
  in s (s (tabulate_3d n n 9 (\a b c -> f32.i64 ((a * 3 + b * 5 + c * 7) % 16) / 16)))
