-- Updates at places that only the device knows, and their check: one kernel of one invocation.

entry main [n] (xs: [n]i32) (k: i64) : ([k]i64, [k]i32, [n]i32) =
  loop (is, found, left) = (replicate k 0, replicate k 0, copy xs)
  for r < k do
    let smaller (x, i) (y, j) = if y < x || (x == y && j < i) then (y, j) else (x, i)
    let (x, i) = reduce_comm smaller (i32.highest, i64.highest) (zip left (iota n))
    in (is with [r] = i, found with [r] = x, left with [i] = 9)
