-- A bound below 0, near the lowest number: the loop has no iterations, as with any other.
-- ==
-- entry: behind
-- input { empty([0]i32) 9223372036854775807i64 } output { 0i32 }
-- input { empty([0]i32) 9223372036854775805i64 } output { 0i32 }
-- input { [1, 2, 3] 1i64 } output { 5i32 }

-- The check of the index is proven away: 1 <= j + 1 <= n - a.
entry behind [n] (xs: [n]i32) (a: i64) : i32 =
  if a > 0 then loop r = 0 for j < i64.min (n - a) 9 do r + xs[j + 1] else 0

-- ==
-- entry: before
-- input { [1, 2, 3] -9223372036854775808i64 } output { 0i32 }
-- input { [1, 2, 3] -9223372036854775806i64 } output { 0i32 }
-- input { [1, 2, 3] 1i64 }
-- error: out of range
entry before (xs: []i32) (b: i64) : i32 =
  loop r = 0 for j < i64.min b 9 do r + xs[j - 3]

-- The same near the highest number: the loop ends by its first check.
-- ==
-- entry: above
-- input { [1, 2, 3] 9223372036854775807i64 }
-- error: out of range
-- input { [1, 2, 3] -9223372036854775808i64 } output { 0i32 }
entry above (xs: []i32) (b: i64) : i32 =
  loop r = 0 for j < b do r + xs[j + 3]

-- ==
-- entry: in_cells
-- input { [1, 2, 3] -9223372036854775808i64 } output { [0, 0] }
entry in_cells (xs: []i32) (b: i64) : [2]i32 =
  map (\k -> loop r = 0 for j < b + k do r + xs[j * j - 3]) (iota 2)

-- The first iteration stands alone, and the others go by fours.
-- ==
-- entry: peeled
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] -9223372036854775808i64 } output { [0, 0] }
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 4i64 } output { [13, 37] }
entry peeled [n] (xs: [n][4]i32) (b: i64) : [n]i32 =
  map (\x -> loop s = 0 for j < i64.min 4 b do if j == 0 then s + 1 else s + x[j - 1] * 2) xs
