-- Sizes that only the device knows: arrays of filters, and what is made of them, have room for as
-- many elements as were filtered; above 2^20 the host waits for the size.
-- tolerance: exact

def xs (n: i64) : [n]i64 = map (\i -> (i * 7919 + 13) % 100003) (iota n)

-- A filter of a filter, counted in a loop.
-- ==
-- entry: chain
-- input { 0i64 } output { 0i64 0i64 }
-- input { 1i64 } output { 1i64 0i64 }
-- input { 1000i64 } output { 16i64 27000176i64 }
entry chain (n: i64) : (i64, i64) =
  let (_, steps, sum) =
    loop (ys, k, s) = (xs n, 0, 0)
    while length ys > 0 do
      let zs = filter (\y -> y % 3 != 0) (map (/ 2) ys)
      let zs = filter (> 1) (map (+ 0) zs)
      in (zs, k + 1, s + i64.sum zs)
  in (steps, sum)

-- Maps, scans and scatters over what is left; three filters behind each other.
-- ==
-- entry: users
-- input { 0i64 } output { 0i64 0i64 0i64 0i64 }
-- input { 1i64 } output { 40i64 0i64 0i64 0i64 }
-- input { 2i64 } output { 40i64 0i64 0i64 0i64 }
-- input { 1000i64 } output { 60080262i64 401i64 119016990i64 1517674i64 }
-- input { 1048577i64 } output { 62916190764i64 419429i64 389303939663i64 1517674i64 }
entry users (n: i64) : (i64, i64, i64, i64) =
  let ys = filter (\x -> x % 2 == 1) (xs n)
  let zs = filter (\x -> x % 5 != 0) (map (* 3) ys)
  let places = scan (+) 0 (map (% 7) zs)
  let marks = scatter (replicate n 0) (map (\i -> n - 1 - i) (indices zs)) (map (+ 1) zs)
  let last = filter (> 100) (map2 (+) zs places)
  let sums = scan i64.max 0 last
  in (i64.sum marks, length last, i64.sum sums, i64.sum (scatter (replicate 10 0) (indices last) last))

-- Elements at places behind what is left are out of range.
-- ==
-- entry: behind
-- input { 100i64 3i64 } output { 16i64 }
-- input { 100i64 20i64 } error: 7001
entry behind (n: i64) (k: i64) : i64 =
  let ys = filter (\x -> x % 2 == 1) (xs n)
  let zs = filter (> 5) (map (\i -> ys[i + k] % 10) (iota 40))
  in length zs + 1

-- Floats: the order of a scan depends on the size, so the host waits for it.
-- ==
-- entry: floats
-- input { 1000i64 } output { 147.25f32 }
-- input { 70000i64 } output { 10208.75f32 }
entry floats (n: i64) : f32 =
  let ys = filter (\x -> x % 3 == 1) (xs n)
  let zs = scan (+) 0 (map (\y -> f32.i64 (y % 8) / 8) ys)
  let last = filter (> 1) zs
  in f32.maximum last

-- Rows, halves of a partition, and a size that a branch asks for.
-- ==
-- entry: others
-- input { 0i64 } output { 0i64 0i64 0i64 }
-- input { 1000i64 } output { 66610641i64 1443i64 42957709i64 }
entry others (n: i64) : (i64, i64, i64) =
  let rows = filter (\r -> r[0] % 3 == 0) (map (\x -> [x, x + 1, 2 * x]) (xs n))
  let cols = map i64.sum (transpose rows)
  let (a, b) = partition (\x -> x % 7 < 3) (xs n)
  let c = filter (> 50) (map (* 2) a)
  let d = if length c > 10 then map (+ 1) c else c
  in (i64.sum cols, i64.sum (filter (< 1000) b), i64.sum d)

-- A size that an element of the array decides: one of two that the host knows; of a negative one
-- the check is the device's.
-- ==
-- entry: sieve
-- input { 1i64 0i64 } output { 2i64 }
-- input { 2i64 0i64 } output { 3i64 }
-- input { 1000i64 0i64 } output { 170i64 }
-- input { 1000i64 3i64 } error: 7005
entry sieve (n: i64) (less: i64) : i64 =
  let (_, flags) =
    loop (p, flags) = (2, replicate (n + 1) true)
    while p * p <= n do
      let m = if flags[p] then n / p - 1 - less * (p - 2) * n else 0
      in (p + 1, scatter flags (map (\i -> (i + 2) * p) (iota m)) (replicate m false))
  in i64.sum (map i64.bool flags)

-- Products with counts, elements of running counts, two sizes of a step.
-- ==
-- entry: combined
-- input { 3i64 0i64 } output { 0i64 2001i64 }
-- input { 3i64 1i64 } output { 1i64 3001i64 }
-- input { 3i64 2000i64 } output { 108778755i64 1939243365i64 }
-- input { 0i64 2000i64 } output { 6i64 23075i64 }
-- input { 700i64 5000i64 } output { 58769061751i64 3001i64 }
-- input { -1i64 2000i64 } error: 7005
-- input { 4611686018427387904i64 10i64 } error: 7005
-- input { 4611686018427387904i64 2000i64 } error: 7005
entry combined (width: i64) (n: i64) : (i64, i64) =
  let (ends, _, sum) =
    loop (ends, ys, s) = ([0, 1], xs n, 0)
    while length ys > 0 && s < 1000000000 do
      let kept = filter (\y -> y % 3 == 0) ys
      let cells = map (\i -> kept[i / width] + i % width) (iota (length kept * width))
      let ones = map (\e -> i64.bool (e % 2 == 0)) ends
      let sums = scan (+) 0 ones
      let places = map3 (\i s o -> i + s - o) (indices ends) sums ones
      let more = scatter (replicate (length ends + last sums) s) places ends
      in (more, filter (> s % 100) (map (/ 5) kept), s + i64.sum cells + 1)
  in (sum, i64.sum ends + 1000 * length ends)
