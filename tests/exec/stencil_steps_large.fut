-- Arrays larger than the cache: the cpu engine does several steps at once (lang/imp/schedule/lower_steps), and
-- not in a `while` loop. Both give the same bits.
-- tolerance: exact
-- ==
-- entry: line plane
-- compiled input { 0i64 } output { true }
-- compiled input { 1i64 } output { true }
-- compiled input { 15i64 } output { true }
-- compiled input { 16i64 } output { true }
-- compiled input { 17i64 } output { true }
-- compiled input { 33i64 } output { true }
def same 'a [n] (equal: a -> a -> bool) (xs: [n]a) (ys: [n]a) = and (map2 equal xs ys)

def step_line [n] (edge: i64) (xs: [n]f32) =
  if edge == 0
  then stencil_1d [-2, -1, 0, 1] (\() v -> 0.25f32 * (v[0] + v[1] + v[2] + v[3])) (rep ()) xs
  else stencil_1d_with #mirror [-1, 0, 2] (\() v -> 0.5f32 * v[0] - v[1] + 0.25f32 * v[2]) (rep ()) xs

def step_plane [n] [m] (xs: [n][m]f32) =
  stencil_2d_with (#clamp, #constant 0.5f32)
                  [(-1, 0), (0, -2), (0, 0), (0, 1), (2, 0)]
                  (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
                  (rep (rep ()))
                  xs

entry line (steps: i64) =
  let start = map (\i -> f32.i64 (i * 7919 % 1021)) (iota 800003)
  let blocked = loop xs = start for _i < steps do step_line 0 xs
  let (_, plain) = loop (i, xs) = (0, start) while i < steps do (i + 1, step_line 0 xs)
  let mirrored = loop xs = start for _i < steps do step_line 1 xs
  let (_, plain_mirrored) = loop (i, xs) = (0, start) while i < steps do (i + 1, step_line 1 xs)
  in same (==) blocked plain && same (==) mirrored plain_mirrored

entry plane (steps: i64) =
  let start = tabulate_2d 903 1031 (\i j -> f32.i64 ((i * 31 + j * 17) % 1021))
  let blocked = loop xs = start for _i < steps do step_plane xs
  let (_, plain) = loop (i, xs) = (0, start) while i < steps do (i + 1, step_plane xs)
  in same (==) (flatten blocked) (flatten plain)
