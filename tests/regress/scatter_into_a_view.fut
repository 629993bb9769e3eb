-- What is written into every second element, from the last one on, comes back as a dense array, from
-- updates, scatters and histograms alike.
-- ==
-- entry: scatters
-- input { 1i32 2i64 } output { [1i32, 1i32, 7i32] }
-- input { 1i32 0i64 } output { [7i32, 1i32, 1i32] }
entry scatters (x: i32) (n: i64) : [3]i32 =
  let z = replicate 6 x in scatter (copy (z[5::-2] :> [3]i32)) [n] [7]

-- ==
-- entry: counts
-- input { 1i32 2i64 } output { [1i32, 1i32, 8i32] }
entry counts (x: i32) (n: i64) : [3]i32 =
  let z = replicate 6 x in reduce_by_index (copy (z[5::-2] :> [3]i32)) (+) 0 [n] [7]

-- ==
-- entry: updates
-- input { 1i32 2i64 } output { [1i32, 1i32, 7i32] }
entry updates (x: i32) (n: i64) : [3]i32 =
  let z = replicate 6 x in copy (z[5::-2] :> [3]i32) with [n] = 7
