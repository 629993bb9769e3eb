-- Histograms of cells by operators without atomic operations: few cells with many elements share
-- all of them, beside counts and behind branches; many cells have their own bins.
-- tolerance: 1e-5
-- ==
-- entry: sums
-- input { 5i64 300i64 }
-- output { 9371.25f32 15638i32 [498.75f32, 389.75f32, 463.5f32, 532.375f32] }
-- ==
-- entry: sums
-- input { 5000i64 20i64 }
-- output { 624999.75f32 1000042570i32 [42.0f32, 30.25f32, 39.25f32, 15.125f32] }
-- ==
-- entry: products
-- input { 3i64 40i64 }
-- output { [[2.5459754f32, 1.8171986f32, 2.1532955f32], [2.2979846f32, 1.9926728f32, 2.358395f32], [2.0689933f32, 2.1813087f32, 2.5786722f32]] }
-- ==
-- entry: pairs
-- input { 4i64 200i64 }
-- output { [[156i64, 55i64], [70i64, 171i64], [186i64, 85i64], [100i64, 155i64]] }
-- ==
-- entry: shared
-- input { 3i64 100i64 }
-- output { [[61.0f32, 60.0f32, 59.0f32, 58.0f32], [57.0f32, 61.0f32, 60.0f32, 59.0f32], [58.0f32, 57.0f32, 61.0f32, 60.0f32]] }

def value (c: i64) (i: i64) : f32 = f32.i64 ((c * 37 + i * 11) % 101) / 8

-- Sums and counts of each cell, as one histogram.
entry sums (k: i64) (n: i64) : (f32, i32, [4]f32) =
  let xss = tabulate_2d k n value
  let (sums, counts) =
    unzip (map (\xs ->
                  let bins = map (\x -> i64.f32 x % 4) xs
                  in (hist (+) 0 4 bins xs, hist (+) 0i32 4 bins (replicate n 1)))
               xss)
  in ( f32.sum (flatten sums)
     , i32.sum (map2 (\i c -> (1 + i32.i64 i) * c) (iota (k * 4)) (flatten counts))
     , sums[k - 1]
     )

entry products (k: i64) (n: i64) : [k][3]f32 =
  tabulate k (\c -> hist (*) 1 3 (map (% 3) (iota n)) (tabulate n (\i -> 1 + value c i / 100)))

-- The greatest with its place.
entry pairs (k: i64) (n: i64) : [k][2]i64 =
  tabulate k (\c ->
                let better (a: (f32, i64)) (b: (f32, i64)) = if b.0 > a.0 || (b.0 == a.0 && b.1 < a.1) then b else a
                let best = hist better (-1, n) 2 (map (% 2) (iota n)) (tabulate n (\i -> (value c i, i)))
                in map (.1) best)

-- Rows that all cells read.
entry shared (k: i64) (n: i64) : [k][4]f32 =
  let weights = tabulate n (\i -> f32.i64 (i % 7))
  let keys = tabulate_2d k n (\c i -> (c + i) % 5)
  in map (\row -> hist (+) 0 4 row weights) keys
