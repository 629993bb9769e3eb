-- Arrays that the GPU planner drops leave their size checks; their shapes moved in memory meanwhile.
-- ==
-- entry: divide
-- input { 5i64 }
-- error: division by zero.*H7003
-- ==
-- entry: sieve
-- input { 50i64 }
-- output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64, 31i64, 37i64, 41i64, 43i64, 47i64] }
entry divide (n: i64) : []i64 =
  let m = n + 1
  in map2 (//) (iota m) (iota (1 + n))

entry sieve (n: i64) : []i64 =
  let flags = replicate n true with [0] = false with [1] = false
  let flags =
    loop flags for i in 2..<n do
      if flags[i] && i * i < n
      then let k = (n - 1) / i - 1
           in scatter flags (map (\j -> (j + 2) * i) (iota k)) (replicate k false)
      else flags
  in filter (\i -> flags[i]) (iota n)
