-- Neighbours read by index, in every spelling that is a stencil: guards, clamps, wraps, i32 positions.
-- ==
-- entry: clamped wrapped guarded narrow cylinder rows
-- input { empty([0][0]i32) }
-- input { [[1]] }
-- input { [[1,2]] }
-- input { [[1],[2]] }
-- input { [[1,2,3],[4,5,6]] }
-- input { [[1,2,3,4,5],[4,5,6,9,7],[1,7,8,2,6],[10,11,12,18,22],[7,1,2,8,3],[9,4,2,7,5],[0,1,7,3,2]] }
-- random input { [37][41]i32 }
entry clamped [n] [m] (t: [n][m]i32) =
  tabulate_2d n m (\i j ->
                     3 * t[i64.max 0 (i - 1), j] + t[i, j] - t[i64.min (n - 1) (i + 1), i64.max 0 (j - 2)]
                     + 7 * t[if i == 0 then i else i - 1, if j >= m - 1 then j else j + 1])

entry wrapped [n] [m] (t: [n][m]i32) =
  tabulate_2d n m (\i j ->
                     t[(i + 1) % n, j] + 2 * t[(i - 1 + n) % n, (j + 1) % m]
                     - t[if i == n - 1 then 0 else i + 1, if j == 0 then m - 1 else j - 1])

entry guarded [n] [m] (t: [n][m]i32) =
  tabulate_2d n m (\i j ->
                     if i == 0 || j == 0 || i == n - 1 || j == m - 1
                     then t[i, j]
                     else if i == 1 then t[i - 1, j - 1] else t[i - 1, j] * t[i + 1, j] - t[i, j - 1] + t[i, j + 1])

entry narrow [n] [m] (t: [n][m]i32) =
  let at (i: i32) (j: i32) = if i < 0 || i >= i32.i64 n || j < 0 || j > i32.i64 m - 1 then 100 else t[i, j]
  in loop t = copy t
     for _k < 3 do
       tabulate_2d n m (\i j ->
                          let (i, j) = (i32.i64 i, i32.i64 j)
                          in at (i - 1) j + 3 * at (i + 1) j - at i (j - 1) + at i (j + 1) + t[i, j])

entry cylinder [n] [m] (t: [n][m]i32) =
  tabulate_2d n m (\i j -> t[i64.max 0 (i - 1), j] - 2 * t[i, j] + t[i, (j + 1) % m] + 3 * t[i, if j == 0 then m - 1 else j - 1])

entry rows [n] [m] (t: [n][m]i32) =
  map (\row -> map2 (\j x -> x - row[i64.max (j - 1) 0] + row[if j + 1 == m then j else j + 1]) (iota m) row) t

-- Fails where there is one row; the rest is a stencil.
-- ==
-- entry: needs_rows
-- input { [[1i32,2],[3,4]] } output { [[4i32, 6], [4, 6]] }
-- input { [[1i32,2]] } error: H7001
entry needs_rows [n] [m] (t: [n][m]i32) =
  tabulate_2d n m (\i j -> if i == 0 then t[i, j] + t[i + 1, j] else t[i, j] + t[i - 1, j])

-- ==
-- entry: line
-- input { [1f32,2,3,4,5,6,7] }
-- input { empty([0]f32) }
-- input { [1f32] }
-- input { [1f32,2] }
-- input { [1f32,2,3] }
entry line [n] (xs: [n]f32) =
  map (\i -> (if i >= 2 then xs[i - 2] else 0) + xs[i] / (if i < n - 1 then xs[i + 1] else 3)) (iota n)

-- ==
-- entry: space
-- random input { [3][4][5]f32 }
-- random input { [1][4][2]f32 }
-- random input { [9][8][17]f32 }
entry space [a] [b] [c] (t: [a][b][c]f32) =
  tabulate_3d a b c (\i j k ->
                       if i == 0 || i == a - 1 || j == 0 || j == b - 1 || k == 0 || k == c - 1
                       then t[i, j, k]
                       else (t[i, j, k + 1] + t[i, j, k - 1] + t[i, j - 1, k] + t[i, j + 1, k] + t[i - 1, j, k] + t[i + 1, j, k]) / 6)
