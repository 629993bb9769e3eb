-- A number that a kernel computes, and that decides a branch of which only its checks are left:
-- the host waits for the number before it checks a place by it.
-- ==
-- entry: element
-- input { [4i64, 1i64, 2i64, 3i64, 0i64] 1i64 }
-- output { 1i64 }
-- input { [4i64, 0i64, 2i64, 3i64, 0i64] 1i64 }
-- output { 4i64 }
-- input { [4i64, 7i64, 2i64, 3i64, 0i64] 1i64 }
-- error: index `\[7\]`.*H7001
-- ==
-- entry: row
-- input { [4i64, 1i64, 2i64, 3i64, 0i64] 1i64 }
-- output { [1i64, 2i64] }
-- input { [4i64, 0i64, 2i64, 3i64, 0i64] 1i64 }
-- output { [4i64, 5i64] }
-- input { [4i64, 7i64, 2i64, 3i64, 0i64] 1i64 }
-- error: index `\[7\]`.*H7001
-- ==
-- entry: stored
-- input { [4i64, 1i64, 2i64, 3i64, 0i64] 1i64 }
-- output { [4i64, 9i64, 2i64, 3i64, 0i64] }
-- input { [4i64, 0i64, 2i64, 3i64, 0i64] 1i64 }
-- output { [9i64, 0i64, 2i64, 3i64, 0i64] }
-- input { [4i64, 7i64, 2i64, 3i64, 0i64] 1i64 }
-- error: index `\[7\]`.*H7001
-- ==
-- entry: summed
-- input { [4i64, 1i64, 2i64, 3i64, 0i64] 1i64 }
-- output { 6i64 }
-- input { [4i64, 0i64, 2i64, 3i64, 0i64] 1i64 }
-- output { 9i64 }
-- input { [4i64, 7i64, 2i64, 3i64, 0i64] 1i64 }
-- error: slice `\[7:5\]`.*H7002
def place [n] (xs: [n]i64) (k: i64) = if n > 3 then xs[k] else 0

def checked (n: i64) (v: i64) =
  match v
  case 0 -> replicate (n + 1) 7i8
  case _ -> []

entry element [n] (xs: [n]i64) (k: i64) =
  let v = place xs k
  let _ = checked n v
  in xs[v]

entry row [n] (xs: [n]i64) (k: i64) =
  let xss = map (\x -> [x, x + 1]) xs
  let v = place xs k
  let _ = checked n v
  in xss[v]

entry stored [n] (xs: [n]i64) (k: i64) =
  let v = place xs k
  let _ = checked n v
  in copy xs with [v] = 9

entry summed [n] (xs: [n]i64) (k: i64) =
  let v = place xs k
  let _ = checked n v
  in i64.sum xs[v:]
