-- Reductions of flattened tables: of the host, of cells with bounds of their own, of windows, of several values.
-- ==
-- entry: host
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [10f32, 100f32, 1000f32] } output { 11740f32 13f32 }
-- input { empty([0][3]f32) empty([0]f32) } output { 0f32 -1f32 }
-- input { empty([2][0]f32) [1f32, 2f32] } output { 0f32 -1f32 }
-- ==
-- entry: blur
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] [[1, 0, 0], [0, 2, 0], [0, 0, 3]] } output { [[17, 22, 6], [32, 38, 14], [14, 20, 23]] }
-- input { [[5]] [[3]] } output { [[15]] }
-- input { [[5, 6]] empty([0][0]i32) } output { [[0, 0]] }
-- ==
-- entry: windows
-- input { [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]] } output { [[54, 63]] [[11, 12]] }
-- ==
-- entry: place
-- input { [3i64, 1i64, 4i64] 3i64 } output { [4i64, 4i64, 4i64] [8i64, 8i64, 8i64] }
-- input { [3i64] 0i64 } output { [-1i64] [0i64] }
-- ==
-- entry: consumed
-- input { [1, 2, 3] } output { [18, 34, 50] }

-- Positions, the own element and one for each row; then a reduction of positions alone.
entry host [n] [m] (xss: [n][m]f32) (ws: [n]f32) =
  let terms = map2 (\w xs -> map2 (\j x -> w * x + f32.i64 j) (iota m) xs) ws xss
  let far = tabulate_2d n m (\i j -> f32.i64 (i * 10 + j - i * 4))
  in (f32.sum (flatten terms) - f32.i64 (n * (m * (m - 1) / 2)), f32.maximum ([-1] ++ flatten far))

-- Neighbourhoods as large as the weights.
entry blur [n] [m] [p] (xss: [n][m]i32) (ws: [p][p]i32) : [n][m]i32 =
  let r = p / 2
  let at i j = if i >= 0 && i < n && j >= 0 && j < m then xss[i, j] else 0
  in tabulate_2d n m (\i j ->
                        i32.sum (flatten (tabulate_2d p p (\a b -> at (i + a - r) (j + b - r) * ws[a, b]))))

-- Slices of a picture.
entry windows [n] [m] (xss: [n][m]i32) =
  let at i j = flatten xss[i:i + 3, j:j + 3]
  let k = n - 2
  let l = m - 2
  in (tabulate_2d k l (\i j -> i32.sum (at i j)), tabulate_2d k l (\i j -> i32.maximum (at i j)))

-- The largest value and where it is.
entry place [n] (xs: [n]i64) (p: i64) =
  unzip (map (\x ->
                let table = flatten (tabulate_2d p p (\i j -> i64.min x (i * 2 + j) + 4 - i64.min x 4))
                let best =
                  reduce (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j))
                         (-1, p * p)
                         (zip (map (i64.min 4) table) (map (+ (p * p - 1)) (map (* 0) (iota (p * p)))))
                in (best.0, i64.min best.1 (p * p - i64.bool (p > 0))))
             xs)

-- The array that the table is made of changes between the table and its sum.
entry consumed [n] (xs: [n]i32) =
  map (\x ->
         let a = replicate 20 x
         let table = tabulate_2d 4 4 (\i j -> a[i + j] + i32.i64 (i64.min j 0))
         let a = a with [0] = 2
         in i32.sum (flatten table) + a[0])
      xs
