-- Iterated stencils over several arrays: what a step hands on, arrays from outside, two stencils a
-- step, cells of several types.
-- tolerance: exact

def start (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 13) % 64) / 8)

-- ==
-- entry: heated conducted wave swapped twice mixed
-- input { 1i64 1i64 9i64 }
-- input { 3i64 70i64 8i64 }
-- input { 45i64 77i64 0i64 }
-- input { 45i64 77i64 1i64 }
-- input { 64i64 96i64 11i64 }
entry heated (n: i64) (m: i64) (steps: i64) =
  let power = tabulate_2d n m (\i j -> f32.i64 (i - j))
  let mask = transpose (tabulate_2d m n (\i j -> if i < j then 1f32 else 0.5f32))
  in loop xs = start n m
     for _i < steps do
       stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
                  (\(p, k) v -> 0.01f32 * p + k * 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
                  (map2 zip power mask)
                  xs

-- Neighbours of an array that stays as it is.
entry conducted (n: i64) (m: i64) (steps: i64) =
  let ks = tabulate_2d n m (\i j -> f32.i64 ((i * 3 + j) % 7) / 64)
  in loop xs = start n m
     for _i < steps do
       stencil_2d [(-1, 0), (0, -2), (0, 0), (0, 1), (1, 0)]
                  (\() v -> v[2].0 + v[0].1 * v[0].0 + v[1].1 * v[1].0 - v[3].1 * v[3].0 + v[4].1 * v[4].0)
                  (rep (rep ()))
                  (map2 zip xs ks)

entry wave (n: i64) (m: i64) (steps: i64) =
  loop (before, now) = (start n m, start n m)
  for _i < steps do
    let next =
      stencil_2d_with (#mirror, #constant 0f32)
                      [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
                      (\old v -> 2f32 * v[0] - old + 0.25f32 * (v[1] + v[2] + v[3] + v[4] - 4f32 * v[0]))
                      before
                      now
    in (now, next)

entry swapped (n: i64) (m: i64) (steps: i64) =
  loop (a, b, c) = (start n m, replicate n (replicate m 1f32), start n m)
  for _i < steps do
    (b, stencil_2d [(0, -1), (0, 1)] (\x v -> x + 0.25f32 * (v[0] - v[1])) a b, c)

entry twice (n: i64) (m: i64) (steps: i64) =
  loop xs = start n m
  for _i < steps do
    let slopes = stencil_2d [(0, 0), (1, 0), (0, 1)] (\() v -> (v[1] - v[0], v[2] - v[0])) (rep (rep ())) xs
    let (down, right) = unzip (map unzip slopes)
    let flow = stencil_2d_with (#constant 0f32, #constant 0f32) [(-1, 0), (0, 0)] (\r v -> v[1] - v[0] + r) right down
    in stencil_2d_with (#constant 0f32, #constant 0f32) [(0, -1), (0, 0)] (\(x, f) v -> x + 0.1f32 * (f - v[0] + v[1])) (map2 zip xs flow) right

entry mixed (n: i64) (m: i64) (steps: i64) =
  loop (xs, ks) = (start n m, tabulate_2d n m (\i j -> i8.i64 (i + j)))
  for _i < steps do
    let ys = stencil_2d [(-1, 0), (0, 0), (0, 1)] (\k v -> v[0] + f32.i8 k * (v[1] - v[2])) ks xs
    let ls = stencil_2d [(0, 0), (1, 1)] (\x v -> v[0] + (if x > 0 then v[1] else 1i8)) xs ks
    in (ys, ls)
