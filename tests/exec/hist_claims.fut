-- Histograms by operators that are no atomics, whose elements claim bins that a workgroup shares:
-- few and many bins, elements that all want the same one, operators on pairs.

def hash (i: i64) : i64 = i64.u32 ((u32.i64 i * 2654435761) >> 7)

-- What is expected comes from one element more, so that the two histograms stay apart.
-- ==
-- entry: sums
-- input { 1i64 30000i64 1i64 } output { true }
-- input { 100i64 30000i64 1i64 } output { true }
-- input { 200i64 30000i64 1i64 } output { true }
-- input { 257i64 30001i64 1i64 } output { true }
-- input { 1000i64 40000i64 1i64 } output { true }
-- input { 4000i64 777i64 1i64 } output { true }
-- input { 5000i64 30000i64 1i64 } output { true }
-- input { 200i64 20000i64 16i64 } output { true }
-- input { 900i64 20000i64 1000000i64 } output { true }
-- input { 900i64 0i64 1i64 } output { true }
entry sums (bins: i64) (n: i64) (skew: i64) : bool =
  let bin i = if i % skew == 0 then hash i % (bins + 1) - 1 else bins / 2
  let found = reduce_by_index (map f32.i64 (iota bins)) (+) 0 (map bin (iota n)) (map (\i -> f32.i64 (i % 8)) (iota n))
  let js = map (\i -> if i == n then -1 else bin i) (iota (n + 1))
  let exact = reduce_by_index (iota bins) (+) 0 js (map (% 8) (iota (n + 1)))
  in and (map2 (\x y -> x == f32.i64 y) found exact)

-- The smallest element and where it is.
-- ==
-- entry: pairs
-- input { 300i64 } output { true }
-- input { 1500i64 } output { true }
entry pairs (bins: i64) : bool =
  let n = 15000
  let least (a: i32, i: i64) (b: i32, j: i64) = if a < b || (a == b && i < j) then (a, i) else (b, j)
  let bin i = hash (i * 3) % bins
  let x i = i32.i64 (hash i % 1000)
  let (found, at) =
    unzip (reduce_by_index (replicate bins (i32.highest, i64.highest))
                           least
                           (i32.highest, i64.highest)
                           (map bin (iota n))
                           (map (\i -> (x i, i)) (iota n)))
  in and (map3 (\b y i -> i == i64.highest || (bin i == b && x i == y)) (iota bins) found at)
     && i64.sum (map (\i -> i64.bool (i != i64.highest)) at) <= bins
     && and (map (\i -> found[bin i] <= x i) (iota n))
