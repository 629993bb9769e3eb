-- Histograms of 8-byte integers in more bins than a workgroup has room for, and several operations on as many bins.

def hash (i: i64) : i64 = i64.u32 ((u32.i64 i * 2654435761) >> 7)

-- ==
-- entry: numbers
-- input { 3000i64 5000i64 }
-- output { true }
-- input { 0i64 5000i64 }
-- output { true }
-- input { 300i64 40i64 }
-- output { true }
entry numbers (n: i64) (k: i64) : bool =
  -- Some bins lie outside.
  let bin i = hash i % (k + 3) - 1
  let bins = map bin (iota n)
  let value i = hash (i + 17) * 4294967296 - hash i
  let values = map value (iota n)
  let check op ne start =
    let all =
      loop all = replicate k start
      for i < n do
        let b = bin i
        in if b >= 0 && b < k then all with [b] = op all[b] (value i) else all
    in and (map2 (==) all (reduce_by_index (replicate k start) op ne bins values))
  let unsigned = reduce_by_index (replicate k 7u64) u64.max 0 bins (map u64.i64 values)
  let unsigned' =
    loop all = replicate k 7u64
    for i < n do
      let b = bin i
      in if b >= 0 && b < k then all with [b] = u64.max all[b] (u64.i64 (value i)) else all
  in check (+) 0 100
     && check i64.min i64.highest i64.highest
     && check i64.max i64.lowest 5
     && check (&) (-1) (-1)
     && check (|) 0 1
     && check (^) 0 3
     && and (map2 (==) unsigned unsigned')

-- ==
-- entry: several
-- input { 3000i64 9000i64 }
-- output { true }
-- input { 3000i64 20i64 }
-- output { true }
entry several (n: i64) (k: i64) : bool =
  let bins = map (\i -> hash i % k) (iota n)
  let values = map (\i -> f32.i64 (hash (i + 3) % 64)) (iota n)
  let sums = hist (+) 0 k bins values
  let latest = hist i64.max (-1) k bins (iota n)
  let counts = hist (+) 0 k bins (replicate n 1i32)
  let (sums', latest', counts') =
    loop (s, l, c) = (replicate k 0, replicate k (-1), replicate k 0)
    for i < n do
      let b = bins[i]
      in (s with [b] = s[b] + values[i], l with [b] = i, c with [b] = c[b] + 1)
  in and (map2 (==) sums sums') && and (map2 (==) latest latest') && and (map2 (==) counts counts')

-- ==
-- entry: checked
-- input { 3000i64 9000i64 3000i64 }
-- output { true }
-- input { 3000i64 9000i64 2999i64 }
-- error: H7001
entry checked (n: i64) (k: i64) (m: i64) : bool =
  let table = map hash (iota m)
  let bins = map (\i -> hash i % k) (iota n)
  let largest = hist i64.max (-1) k bins (map (\i -> table[n - 1 - i]) (iota n))
  in i64.maximum largest == i64.maximum (map hash (iota n))

-- ==
-- entry: flags
-- input { 3000i64 20000i64 }
-- output { true }
-- input { 300i64 20i64 }
-- output { true }
entry flags (n: i64) (k: i64) : bool =
  let bins = map (\i -> hash i % (k + 3) - 1) (iota n)
  let values = map (\i -> hash (i + 5) % 3 == 0) (iota n)
  let check op ne (start: [k]bool) =
    let all =
      loop all = copy start
      for i < n do
        let b = bins[i]
        in if b >= 0 && b < k then all with [b] = op all[b] values[i] else all
    in and (map2 (==) all (reduce_by_index (copy start) op ne bins values))
  in check (||) false (map (\i -> i % 5 == 0) (iota k)) && check (&&) true (map (\i -> i % 5 != 0) (iota k))
