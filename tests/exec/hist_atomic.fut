-- Histograms of 4-byte integers: few bins, more than shared memory holds, none; every operator.
-- ==
-- entry: counts
-- input { 100000i64 7i64 }
-- input { 5i64 0i64 }
-- input { 0i64 5i64 }
-- input { 1i64 1i64 }
-- input { 30000i64 9001i64 }
entry counts (n: i64) (k: i64) : [k]i32 =
  reduce_by_index (replicate k 1i32)
                  (+)
                  0
                  (map (\i -> i * i % (k + 1) - 1) (iota n))
                  (map i32.i64 (iota n))

-- ==
-- entry: extremes
-- input { 5000i64 11i64 }
-- input { 20000i64 8000i64 }
entry extremes (n: i64) (k: i64) =
  let is = map (\i -> i * 7919 % k) (iota n)
  let vs = map (\i -> i32.i64 (i * 104729 % 2001 - 1000)) (iota n)
  let us = map u32.i32 vs
  in ( hist i32.max i32.lowest k is vs
     , hist i32.min i32.highest k is vs
     , hist u32.max 0 k is us
     , hist u32.min u32.highest k is us
     )

-- ==
-- entry: bits
-- input { 5000i64 11i64 }
entry bits (n: i64) (k: i64) =
  let is = map (\i -> i * 7919 % k) (iota n)
  let vs = map (\i -> u32.i64 (i * 2654435761)) (iota n)
  in (hist (|) 0 k is vs, hist (&) u32.highest k is vs, hist (^) 0 k is vs)

-- ==
-- entry: flat_2d
-- input { 4000i64 13i64 7i64 }
entry flat_2d (n: i64) (k: i64) (m: i64) : [k][m]i32 =
  reduce_by_index_2d (replicate k (replicate m 2i32))
                     (+)
                     0
                     (map (\i -> (i % (k + 1), i * i % (m + 1))) (iota n))
                     (map i32.i64 (iota n))

-- Each row of a matrix into bins of its own.
-- ==
-- entry: of_rows
-- input { 5i64 1000i64 17i64 }
-- input { 300i64 33i64 40i64 }
-- input { 0i64 33i64 4i64 }
entry of_rows (n: i64) (m: i64) (k: i64) : ([n][k]i32, [n]i32) =
  unzip (map (\i ->
                let xs = map (\j -> (i * 31 + j * j) % (k + 1)) (iota m)
                let h = hist (+) 0 k xs (map i32.i64 xs)
                in (h, i32.sum h))
             (iota n))
