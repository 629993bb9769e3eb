-- Rows that are each rearranged are the array rearranged: views, unless they are consumed.
def cube (a: i64) (b: i64) (c: i64) : [a][b][c]i32 =
  tabulate_3d a b c (\i j k -> i32.i64 ((i * b + j) * c + k))

-- ==
-- entry: turned
-- input { 2i64 3i64 4i64 }
-- output { [[[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]],
--           [[12, 16, 20], [13, 17, 21], [14, 18, 22], [15, 19, 23]]] }
entry turned (a: i64) (b: i64) (c: i64) : [a][c][b]i32 = map transpose (cube a b c)

-- ==
-- entry: brought_forward
-- input { 2i64 3i64 2i64 } output { [[[0, 2, 4], [6, 8, 10]], [[1, 3, 5], [7, 9, 11]]] }
entry brought_forward (a: i64) (b: i64) (c: i64) : [c][a][b]i32 =
  transpose (map transpose (cube a b c))

-- The rows are overwritten; what they come from is wanted afterwards.
-- ==
-- entry: consumed
-- input { 2i64 2i64 2i64 }
-- output { [[[100, 2], [1, 3]], [[4, 6], [5, 7]]] [[[0, 1], [2, 3]], [[4, 5], [6, 7]]] }
entry consumed (a: i64) (b: i64) (c: i64) : ([a][c][b]i32, [a][b][c]i32) =
  let xs = cube a b c
  let ys = map transpose xs with [0, 0, 0] = 100
  in (ys, xs)

-- Scans along the middle of three axes.
-- ==
-- entry: columns
-- input { 2i64 3i64 2i64 } output { [[[0, 1], [2, 4], [6, 9]], [[6, 7], [14, 16], [24, 27]]] }
entry columns (a: i64) (b: i64) (c: i64) : [a][b][c]i32 =
  map (\m -> transpose (map (scan (+) 0) (transpose m))) (cube a b c)
