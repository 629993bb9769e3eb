-- Reductions whose neighbouring segments read neighbouring elements at places of their own: filters
-- and sums of windows, an invocation for each of them on the GPU.

def numbers (n: i64) : [n]f32 = map (\i -> f32.i64 ((i * 7919) % 1009 - 300) / 64) (iota n)

-- ==
-- entry: filter
-- input { 0i64 3i64 }
-- input { 5i64 5i64 }
-- input { 100i64 0i64 }
-- input { 1000i64 7i64 }
-- input { 3000i64 300i64 }
-- input { 300000i64 64i64 }
entry filter (n: i64) (k: i64) : []f32 =
  let xs = numbers n
  let w = map (\j -> f32.i64 (j % 5) - 2) (iota k)
  in tabulate (i64.max 0 (n - k)) (\i -> f32.sum (tabulate k (\j -> w[j] * xs[i + j])))

-- Places before the beginning are the first one.
-- ==
-- entry: backwards
-- input { 40i64 9i64 }
-- input { 3000i64 70i64 }
entry backwards (n: i64) (k: i64) : [n](i64, f32) =
  let xs = numbers n
  in tabulate n (\i ->
                   reduce (\(a, x) (b, y) -> (a ^ b, x + y))
                          (0, 0)
                          (tabulate k (\j -> let x = xs[i64.max 0 (i - j)] in (i64.f32 (x * 64), x))))

-- A plane of sums of windows with weights, which are data.
-- ==
-- entry: windows
-- input { 9i64 40i64 3i64 }
-- input { 60i64 70i64 5i64 }
entry windows (h: i64) (m: i64) (k: i64) : [h][m]f32 =
  let xs = unflatten (map (* 0.25) (numbers ((h + k) * (m + k))))
  let w = unflatten (map (\j -> f32.i64 (j % 7) - 3) (iota (k * k)))
  in tabulate_2d h m (\y x ->
                        f32.sum (flatten (tabulate_2d k k (\dy dx -> w[dy, dx] * xs[y + dy, x + dx]))))
