-- Arguments that scripts leave on the device: each rank takes its rows of them at the same time.
-- Many blocks, as ranks that read a device without turns do not fail each time.
entry data (n: i64) (m: i64) : [n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 ((i * 7919 + j * 104729) % 1013))

-- ==
-- entry: sums
-- script input { data 6i64 3i64 } auto output
-- script input { data 86i64 3i64 } auto output
-- script input { data 1001i64 3i64 } auto output
-- script input { data 2050i64 3i64 } auto output
-- script input { data 7i64 3i64 } auto output
-- script input { data 87i64 3i64 } auto output
-- script input { data 1002i64 3i64 } auto output
-- script input { data 2051i64 3i64 } auto output
-- script input { data 8i64 3i64 } auto output
-- script input { data 88i64 3i64 } auto output
-- script input { data 1003i64 3i64 } auto output
-- script input { data 2052i64 3i64 } auto output
-- script input { data 9i64 3i64 } auto output
-- script input { data 89i64 3i64 } auto output
-- script input { data 1004i64 3i64 } auto output
-- script input { data 2053i64 3i64 } auto output
-- script input { data 10i64 3i64 } auto output
-- script input { data 90i64 3i64 } auto output
-- script input { data 1005i64 3i64 } auto output
-- script input { data 2054i64 3i64 } auto output
-- script input { data 11i64 3i64 } auto output
-- script input { data 91i64 3i64 } auto output
-- script input { data 1006i64 3i64 } auto output
-- script input { data 2055i64 3i64 } auto output
entry sums [n] [m] (xs: [n][m]i32) : [m]i32 =
  reduce (map2 (+)) (replicate m 0) (map (map (+ 1)) xs)
