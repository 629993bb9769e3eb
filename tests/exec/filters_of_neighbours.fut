-- Elements that stay by a test of their neighbours: flags are in no memory.
def made (n: i64) (k: i64) : [n]i32 = map (\i -> i32.i64 ((i * i * 31 + i / 7 * 11) % k)) (iota n)

-- ==
-- entry: changes
-- input { 0i64 3i64 }
-- input { 1i64 3i64 }
-- input { 255i64 2i64 }
-- input { 1025i64 3i64 }
-- input { 70001i64 5i64 }
entry changes (n: i64) (k: i64) : []i32 =
  let xs = made n k
  in map (.1) (filter (\(i, x) -> i == 0 || xs[i - 1] != x) (zip (iota n) xs))

-- Places of local maxima, and their number.
-- ==
-- entry: peaks
-- input { 0i64 9i64 }
-- input { 2i64 9i64 }
-- input { 1025i64 9i64 }
-- input { 66000i64 100i64 }
entry peaks (n: i64) (k: i64) : ([]i64, i64) =
  let xs = made n k
  let at = filter (\i -> i > 0 && i + 1 < n && xs[i - 1] < xs[i] && xs[i] > xs[i + 1]) (iota n)
  in (at, length at)

-- Both parts; flags that are a result as well.
-- ==
-- entry: parts
-- input { 0i64 3i64 }
-- input { 513i64 3i64 }
-- input { 40000i64 3i64 }
entry parts (n: i64) (k: i64) : ([]i32, []i32, [n]bool) =
  let xs = made n k
  let flags = map (\i -> xs[i] == xs[i64.max 0 (i - 1)]) (iota n)
  let (ys, zs) = partition (.0) (zip flags xs)
  in (map (.1) ys, map (.1) zs, flags)

-- A neighbour that is not there.
-- ==
-- entry: beyond
-- input { 100i64 } error: H7001
entry beyond (n: i64) : []i32 =
  let xs = made n 7
  in map (.1) (filter (\(i, x) -> xs[i - 1] != x) (zip (iota n) xs))
