-- Histograms by operators that are no atomics: from one bin to more than there is room for.

def hash (i: i64) : i64 = i64.u32 ((u32.i64 i * 2654435761) >> 7)

-- ==
-- entry: sums
-- input { 1i64 } output { true }
-- input { 7i64 } output { true }
-- input { 33i64 } output { true }
-- input { 100i64 } output { true }
-- input { 200i64 } output { true }
-- input { 1000i64 } output { true }
-- input { 3000i64 } output { true }
-- input { 20000i64 } output { true }
entry sums (bins: i64) : bool =
  let n = 30000
  let is = map (\i -> hash i % (bins + 1) - 1) (iota n)
  let found = reduce_by_index (map f32.i64 (iota bins)) (+) 0 is (map (\i -> f32.i64 (i % 8)) (iota n))
  let exact = reduce_by_index (iota bins) (+) 0 is (map (% 8) (iota n))
  in and (map2 (\x y -> x == f32.i64 y) found exact)

-- All elements in one bin, and 15 of 16.
-- ==
-- entry: skewed
-- input { 50i64 } output { true }
-- input { 900i64 } output { true }
entry skewed (bins: i64) : bool =
  let n = 20000
  let is = map (\i -> if i % 16 == 0 then hash i % bins else 3) (iota n)
  let found = hist (+) 0f64 bins is (replicate n 0.5)
  let exact = hist (+) 0i64 bins is (replicate n 1)
  in and (map2 (\x y -> x == 0.5 * f64.i64 y) found exact)

-- The smallest element and where it is: an operator on pairs.
-- ==
-- entry: pairs
-- input { 5i64 } output { true }
-- input { 300i64 } output { true }
-- input { 1500i64 } output { true }
entry pairs (bins: i64) : bool =
  let n = 15000
  let least (a: i32, i: i64) (b: i32, j: i64) = if a < b || (a == b && i < j) then (a, i) else (b, j)
  let is = map (\i -> hash (i * 3) % bins) (iota n)
  let xs = map (\i -> i32.i64 (hash i % 1000)) (iota n)
  let (found, at) =
    unzip (reduce_by_index (replicate bins (i32.highest, i64.highest))
                           least
                           (i32.highest, i64.highest)
                           is
                           (zip xs (iota n)))
  let exact = hist i32.min i32.highest bins is xs
  in and (map3 (\x i y -> x == y && (i == i64.highest || xs[i] == x)) found at exact)

-- Counts by atomics: parts of the bins, slots for those that come up often.
-- ==
-- entry: counts
-- input { 3i64 2i64 } output { true }
-- input { 20000i64 2i64 } output { true }
-- input { 300000i64 2i64 } output { true }
-- input { 300000i64 16i64 } output { true }
entry counts (bins: i64) (skew: i64) : bool =
  let n = 600000
  let is = map (\i -> if i % skew == 0 then hash i % bins else 1) (iota n)
  let found = hist (+) 0i32 bins is (replicate n 1)
  let far = hist i32.max 0i32 bins is (map i32.i64 (iota n))
  in i32.sum found == i32.i64 n && found[1] >= i32.i64 (n - n / skew)
     && and (map (\i -> far[is[i]] >= i32.i64 i && found[is[i]] > 0) (iota n))

-- Few elements and many, more bins than fit anywhere, also of two indices; some without a bin.
-- ==
-- entry: many_bins
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 15i64 } output { true }
-- input { 16i64 } output { true }
-- input { 17i64 } output { true }
-- input { 300i64 } output { true }
-- input { 5000i64 } output { true }
entry many_bins (n: i64) : bool =
  let (rows, columns) = (130, 257)
  let is = map (\i -> (hash i % (rows + 1) - 1, hash (i / 3 + 7) % (columns + 1))) (iota n)
  let found = reduce_by_index_2d (replicate rows (replicate columns 1f32)) (+) 0 is (map (\i -> f32.i64 (i % 8)) (iota n))
  let exact = reduce_by_index_2d (replicate rows (replicate columns 1i64)) (+) 0 is (map (% 8) (iota n))
  in and (map2 (\x y -> and (map2 (\a b -> a == f32.i64 b) x y)) found exact)
