-- Neighbours in squares and cubes, whose extent is that of several axes.

-- ==
-- entry: guarded wrapped clamped branches reversed narrow cube slab triangle turned steps corners
-- input { 0i64 }
-- input { 1i64 }
-- input { 2i64 }
-- input { 3i64 }
-- input { 4i64 }
-- input { 9i64 }

def start (n: i64) : [n][n]i32 = tabulate_2d n n (\i j -> i32.i64 ((i * i * 7 + j * 5 + i * j) % 23))

entry guarded (n: i64) : [n][n]i32 =
  let g = start n
  in tabulate_2d n n (\i j ->
                        if i > 0 && j > 0 && i < n - 1 && j < n - 1
                        then g[i - 1, j] + 2 * g[i + 1, j] + 3 * g[i, j - 1] + 5 * g[i, j + 1]
                        else g[i, j])

entry wrapped (n: i64) : [n][n]i32 =
  let g = start n
  in tabulate_2d n n (\i j -> g[(i + 1) % n, j] - 2 * g[(i + n - 1) % n, (j + 1) % n] + g[i, (j + n - 1) % n])

entry clamped (n: i64) : [n][n]i32 =
  let g = start n
  in tabulate_2d n n (\i j ->
                        g[i64.max 0 (i - 1), i64.min (n - 1) (j + 1)]
                        + 2 * g[i64.min (i + 1) (n - 1), i64.max (j - 1) 0]
                        - g[i, j])

entry branches (n: i64) : [n][n]i32 =
  let g = start n
  in tabulate_2d n n (\i j ->
                        let a = if i == 0 then 0 else g[i - 1, j]
                        let b = if i == n - 1 then 1 else g[i + 1, j]
                        let c = if j == 0 then 2 else g[i, j - 1]
                        let d = if j + 1 >= n then 3 else g[i, j + 1]
                        in a + 3 * b + 7 * c + 11 * d)

-- The test of one axis stands in front of reads along the other.
entry reversed (n: i64) : [n][n]i32 =
  let g = start n
  in tabulate_2d n n (\i j -> if n - 1 > j then g[i, j + 1] * (if n - i > 1 then g[i + 1, j] else 1) else g[i, j])

entry narrow (k: i64) : [k][k]i32 =
  let n = i32.i64 k
  let g = start k
  in tabulate_2d k k (\i j ->
                        let (i, j) = (i32.i64 i, i32.i64 j)
                        let at (i: i32) (j: i32) = if i < 0 || j < 0 || i >= n || j >= n then 0 else g[i64.i32 i, i64.i32 j]
                        in at (i - 1) j + 2 * at (i + 1) j + 3 * at i (j - 1) + 4 * at i (j + 1))

entry cube (n: i64) : [n][n][n]i32 =
  let g = tabulate_3d n n n (\i j k -> i32.i64 ((i * 5 + j * 3 + k * k) % 19))
  in tabulate_3d n n n (\i j k ->
                          g[(i + 1) % n, j, k] + 2 * g[i, i64.max 0 (j - 1), k]
                          + (if k < n - 1 then g[i, j, k + 1] else 4))

-- Two of three axes are alike.
entry slab (n: i64) : [n][4][n]i32 =
  let g = tabulate_3d n 4 n (\i j k -> i32.i64 ((i * 5 + j * 3 + k * k) % 19))
  in tabulate_3d n 4 n (\i j k ->
                          g[i, (j + 1) % 4, k] + 2 * g[(i + n - 1) % n, j, k] + (if k == n - 1 then 1 else g[i, j, k + 1]))

-- Positions beside each other.
entry triangle (n: i64) : [n][n]i32 =
  let g = start n
  in tabulate_2d n n (\i j -> if i < j && i + 1 < n then g[i + 1, j] + g[i, j - 1] else g[i, j])

-- Rows and columns change places.
entry turned (n: i64) : [n][n]i32 =
  let g = start n
  in tabulate_2d n n (\i j -> g[j, i] + (if i < n - 1 then g[j, i + 1] else 0) + g[i, j])

entry steps (n: i64) : ([n][n]i32, i64) =
  let (g, _, k) =
    loop (g, changes, k) = (start n, true, 0)
    while changes && k < 7 do
      let h = tabulate_2d n n (\i j -> (g[(i + 1) % n, j] + g[i, (j + 1) % n] + g[i, j]) / 3)
      in (h, or (flatten (map2 (map2 (!=)) g h)), k + 1)
  in (g, k)

-- All four ends at once.
entry corners (n: i64) : [n][n]i32 =
  let g = start n
  in tabulate_2d n n (\i j ->
                        if i == 0 && j == 0
                        then g[0, 0]
                        else if i == n - 1 && j == n - 1
                        then g[n - 1, n - 1] * 2
                        else if i == 0 || j == n - 1
                        then g[i, j] - 1
                        else g[i - 1, j] + g[i, j + 1])

-- A check that fails in one cell of a square.
-- ==
-- entry: failing
-- input { 3i64 }
-- error: index `\[2, 3\]` is out of range.*H7001

entry failing (n: i64) : [n][n]i32 =
  let g = start n
  in tabulate_2d n n (\i j -> if i < n - 1 then g[i + 1, j] else if j > 1 then g[i, j + 1] else g[i, j])
