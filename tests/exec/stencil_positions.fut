-- Stencils whose cells use their own position and the number of the step as values, on lines, in
-- planes and in space. Positions of fused stencils are those of the cells that are read.
-- tolerance: exact

-- ==
-- entry: line
-- input { 2i64 [5i64, 1, 4, 2, 8, 3, 9, 7] }
-- output { [4i64, 1i64, 4i64, -1i64, 0i64, 3i64, 2i64, 2i64] }
entry line [n] (steps: i64) (xs: [n]i64) : [n]i64 =
  loop xs for t < steps do
    tabulate n (\i ->
                  if i % 3 == t
                  then xs[i64.max 0 (i - 1)] - xs[i64.min (n - 1) (i + 1)] + i
                  else xs[i])

-- ==
-- entry: checker
-- input { 1i64 [[1i64, 2, 3], [4, 5, 6]] }
-- output { [[13i64, 56i64, 15i64], [45i64, 14i64, 49i64]] }
-- input { 0i64 [[1i64, 2]] }
-- output { [[1i64, 2i64]] }
-- input { 3i64 [[1i64, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16], [17, 18, 19, 20], [21, 22, 23, 24]] }
-- output { [[12170i64, 49872i64, 12366i64, 50324i64], [46715i64, 11108i64, 47113i64, 11318i64], [12120i64, 49704i64, 12320i64, 50156i64], [55893i64, 14156i64, 56327i64, 14394i64], [15226i64, 59064i64, 15454i64, 59552i64], [56089i64, 14228i64, 56523i64, 14470i64]] }
entry checker [n] [m] (steps: i64) (xs: [n][m]i64) : [n][m]i64 =
  let half c (xs: [n][m]i64) =
    tabulate_2d n m (\i j ->
                       if (i + j) % 2 == c
                       then xs[(i - 1) % n, j] + xs[(i + 1) % n, j] + xs[i, (j - 1) % m]
                            + xs[i, (j + 1) % m]
                            + i * j
                            - i
                       else xs[i, j])
  in loop xs for _t < steps do half 1 (half 0 xs)

-- A source at one place, that grows with time.
-- ==
-- entry: source
-- input { 2i64 [[0f32, 0, 0, 0], [0, 0, 8, 0], [0, 0, 0, 0], [0, 0, 0, 0]] }
-- output { [[0.0f32, 1.0f32, 0.0f32, 1.0f32], [0.5f32, 0.25f32, 2.0f32, 0.0f32], [0.25f32, 3.0f32, 0.25f32, 1.0f32], [0.0f32, 0.25f32, 0.5f32, 0.0f32]] }
entry source [n] [m] (steps: i64) (xs: [n][m]f32) : [n][m]f32 =
  loop xs for t < steps do
    tabulate_2d n m (\i j ->
                       let at a b = if a < 0 || a >= n || b < 0 || b >= m then 0 else xs[a, b]
                       let x = (at (i - 1) j + at (i + 1) j + at i (j - 1) + at i (j + 1)) / 4
                       in if i == 2 && j == 1 then x + f32.i64 (t + 1) else x)

-- Coefficients by place, and a second stencil that reads neighbours of the first one's results.
-- ==
-- entry: twice
-- input { [[1i64, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]] }
-- output { [[-3i64, 3i64, 12i64, 21i64], [-7i64, 3i64, 12i64, 25i64], [3i64, 21i64, 34i64, 55i64]] }
-- input { [[3i64]] }
-- output { [[3i64]] }
entry twice [n] [m] (xs: [n][m]i64) : [n][m]i64 =
  let at (a: [n][m]i64) i j = a[i64.max 0 (i64.min (n - 1) i), i64.max 0 (i64.min (m - 1) j)]
  let ys = tabulate_2d n m (\i j -> xs[i, j] + 10 * i + j * at xs i (j + 1))
  in tabulate_2d n m (\i j -> at ys (i - 1) j - at ys i (j + 1) + 2 * at ys i j - at ys i (j - 1))

-- ==
-- entry: space
-- input { 2i64 [[[1i64, 2, 3], [4, 5, 6]], [[7, 8, 9], [1, 2, 3]], [[4, 5, 6], [7, 8, 9]]] }
-- output { [[[25i64, 19i64, 14i64], [5i64, -1i64, -6i64]], [[37i64, 31i64, 26i64], [53i64, 47i64, 42i64]], [[-2i64, -8i64, -13i64], [14i64, 8i64, 3i64]]] }
entry space [n] [m] [k] (steps: i64) (xs: [n][m][k]i64) : [n][m][k]i64 =
  loop xs for _t < steps do
    tabulate_3d n m k (\a b c ->
                         let at d e f = xs[(a + d) % n, i64.max 0 (b + e), i64.min (k - 1) (c + f)]
                         in at 1 0 0 - at (-1) 0 0 + at 0 (-1) 0 + at 0 0 1 + a + 2 * b - 3 * c)
