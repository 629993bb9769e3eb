-- Histograms: a map in front, several over one input, tuples, rows, indices out of range.
-- ==
-- entry: counts
-- input { [0i64, 1i64, 2i64, 1i64, -1i64, 7i64] }
-- output { [1, 2, 1] [0i64, 2i64, 2i64] }
-- input { empty([0]i64) }
-- output { [0, 0, 0] [-9223372036854775808i64, -9223372036854775808i64, -9223372036854775808i64] }
entry counts (is: []i64) =
  (hist (+) 0 3 is (map (const 1i32) is), hist i64.max i64.lowest 3 is (map (\i -> i * i / (if i == 2 then 2 else 1) + i64.bool (i == 1)) is))

-- ==
-- entry: rows
-- input { [1i64, 0i64, 1i64, 5i64] [[1, 2], [3, 4], [5, 6], [7, 8]] }
-- output { [[3, 4], [6, 8]] }
entry rows [n] (is: [n]i64) (xss: [n][2]i32) : [2][2]i32 =
  reduce_by_index (replicate 2 [0, 0]) (map2 (+)) [0, 0] is xss

-- ==
-- entry: pairs
-- input { [1i64, 0i64, 1i64] [5, 6, 7] }
-- output { [6, 7] [1i64, 2i64] }
entry pairs [n] (is: [n]i64) (xs: [n]i32) =
  let max (a: i32, i: i64) (b, j) = if a > b || (a == b && i < j) then (a, i) else (b, j)
  in unzip (hist max (i32.lowest, -1) 2 is (zip xs (iota n)))
