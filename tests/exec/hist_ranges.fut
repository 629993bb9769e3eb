-- Histograms of more bins than a workgroup has room for, whose elements are brought together by ranges
-- of bins: places out of range, ranges without elements, one bin that most want, pairs, few elements.

def hash (i: i64) : i64 = i64.u32 ((u32.i64 i * 2654435761) >> 4)

-- ==
-- entry: sums
-- input { 20000i64 100003i64 1i64 20000i64 } output { true }
-- input { 40000i64 70001i64 64i64 40000i64 } output { true }
-- input { 65536i64 65536i64 1i64 65536i64 } output { true }
-- input { 65536i64 80000i64 3i64 9000i64 } output { true }
-- input { 30000i64 66000i64 1000000i64 1i64 } output { true }
-- input { 20000i64 300i64 1i64 20000i64 } output { true }
-- input { 20000i64 200i64 3i64 20000i64 } output { true }
-- input { 20000i64 0i64 1i64 1i64 } output { true }
-- input { 1i64 256i64 1i64 2i64 } output { true }
-- input { 0i64 70000i64 1i64 2i64 } output { true }
entry sums (bins: i64) (n: i64) (skew: i64) (used: i64) : bool =
  let bin i = if i % skew == 0 then hash i % (used + 2) - 1 else bins / 2
  let found = reduce_by_index (map f64.i64 (iota bins)) (+) 0 (map bin (iota n)) (map (\i -> f64.i64 (i % 8)) (iota n))
  let js = map (\i -> if i == n then -1 else bin i) (iota (n + 1))
  let exact = reduce_by_index (iota bins) (+) 0 js (map (% 8) (iota (n + 1)))
  in and (map2 (\x y -> x == f64.i64 y) found exact)

-- Of pairs and of short elements; the same bits again.
-- ==
-- entry: kinds
-- input { 30000i64 90000i64 } output { true true true }
-- input { 30000i64 100i64 } output { true true true }
entry kinds (bins: i64) (n: i64) : (bool, bool, bool) =
  let is = map (\i -> hash i % bins) (iota n)
  let least (a, i) (b, j): (f32, i64) = if a < b || (a == b && i < j) then (a, i) else (b, j)
  let xs = map (\i -> (f32.i64 (hash (i + 3) % 1000), i)) (iota n)
  let found = reduce_by_index (replicate bins (f32.inf, i64.highest)) least (f32.inf, i64.highest) is xs
  let slow =
    loop out = replicate bins (f32.inf, i64.highest)
    for i < n do
      let old = copy out[is[i]] in out with [is[i]] = least old xs[i]
  let bytes = map (\i -> u8.i64 (hash (i + 5))) (iota n)
  let short = reduce_by_index (replicate bins 1u8) (*) 1 is bytes
  let short_slow =
    loop out = replicate bins 1u8
    for i < n do
      let old = copy out[is[i]] in out with [is[i]] = old * bytes[i]
  let floats k = reduce_by_index (replicate bins (f32.i64 (k - k))) (+) 0 is (map (\i -> 1 / f32.i64 (i + 1)) (iota n))
  in (and (map2 (==) found slow), and (map2 (==) short short_slow), and (map2 (==) (floats 1) (floats 2)))
