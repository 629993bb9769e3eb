-- Steps with a sequential loop inside, which an invocation would do: one workgroup for all steps, as
-- long as a launch takes less than a second.

entry main [n] [m] (xs: [n]i32) (ys: [m]i32) : [m + 1]i32 =
  loop row = replicate (m + 1) 0i32
  for i < n do
    loop next = replicate (m + 1) 0i32
    for j < m do
      let best = i32.max row[j + 1] next[j]
      in next with [j + 1] = if xs[i] == ys[j] then row[j] + 1 else best
