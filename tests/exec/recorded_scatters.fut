-- Rows that a scatter wants and a history keeps: stored by the kernel that makes them, unless the scatter's kernel
-- reads or fills the history.
-- ==
-- entry: recorded
-- input { 3i64 [1i64, 0i64, 5i64] [1f32, 2f32, 3f32] }
-- output { [6f32, 16f32, 3f32] [[4f32, 2f32, 6f32], [6f32, 8f32, 4f32], [16f32, 6f32, 12f32]] }
-- input { 0i64 [1i64] [1f32, 2f32] } output { [1f32, 2f32] empty([0][1]f32) }
entry recorded [n] [m] (steps: i64) (is: [m]i64) (xs: [n]f32) =
  loop (a, kept) = (copy xs, replicate steps (replicate m 0))
  for t < steps do
    let vs = map (\i -> a[(i + t) % n] * 2) is
    in (scatter a is vs, kept with [t] = vs)

-- The scatter's values come from the history as well.
-- ==
-- entry: reads_history
-- input { 3i64 [1i64, 0i64, 5i64] [1f32, 2f32, 3f32] }
-- output { [15f32, 23f32, 3f32] [[4f32, 2f32, 6f32], [10f32, 6f32, 6f32], [22f32, 14f32, 6f32]] }
entry reads_history [n] [m] (steps: i64) (is: [m]i64) (xs: [n]f32) =
  loop (a, kept) = (copy xs, replicate steps (replicate m 1))
  for t < steps do
    let vs = map (\i -> a[i % n] * 2) is
    let ws = map2 (\v old -> v + old) vs kept[t]
    in (scatter a is ws, kept with [t] = vs)
