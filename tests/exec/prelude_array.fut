-- The array functions of the prelude (docs/prelude.md, array).
-- ==
-- entry: parts
-- input { [1i32, 2i32, 3i32, 4i32] }
-- output { 4i64 false 1i32 4i32 [2i32, 3i32, 4i32] [1i32, 2i32, 3i32] [1i32, 2i32] [3i32, 4i32]
--          [4i32, 3i32, 2i32, 1i32] }
entry parts [n] (xs: [n]i32) : (i64, bool, i32, i32, []i32, []i32, [2]i32, []i32, [n]i32) =
  (length xs, null xs, head xs, last xs, tail xs, init xs, take 2 xs, drop 2 xs, reverse xs)

-- ==
-- entry: empty_parts
-- input { empty([0]i32) } output { 0i64 true empty([0]i32) empty([0]i32) empty([0]i32) }
entry empty_parts [n] (xs: [n]i32) : (i64, bool, [0]i32, []i32, [n]i32) =
  (length xs, null xs, take 0 xs, drop 0 xs, reverse xs)

-- ==
-- entry: splits
-- input { [1i32, 2i32, 3i32] } output { [1i32] [2i32, 3i32] [1i32, 2i32, 3i32] }
entry splits (xs: [3]i32) : ([1]i32, [2]i32, [3]i32) =
  let (a, b): ([1]i32, [2]i32) = split xs
  in (a, b, sized 3 (a ++ b))

-- ==
-- entry: sized_wrong
-- input { [1i32, 2i32, 3i32] } error: .*
entry sized_wrong [n] (xs: [n]i32) : [2]i32 = sized 2 xs

-- ==
-- entry: makes
-- input { 3i64 }
-- output { [0i64, 1i64, 2i64] [7i32, 7i32, 7i32] [7i32, 7i32] [0i64, 1i64, 2i64]
--          [0i64, 1i64, 4i64] [[0i64, 1i64], [1i64, 2i64], [2i64, 3i64]] }
-- input { 0i64 }
-- output { empty([0]i64) empty([0]i32) [7i32, 7i32] empty([0]i64)
--          empty([0]i64) empty([0][2]i64) }
entry makes (n: i64) : ([n]i64, [n]i32, [2]i32, [n]i64, [n]i64, [n][2]i64) =
  ( iota n
  , replicate n 7
  , rep 7
  , indices (replicate n true)
  , tabulate n (\i -> i * i)
  , tabulate_2d n 2 (+)
  )

-- ==
-- entry: makes_3d
-- input { 2i64 }
-- output { [[[0i64, 1i64], [10i64, 11i64]], [[100i64, 101i64], [110i64, 111i64]]] }
entry makes_3d (n: i64) : [n][n][n]i64 = tabulate_3d n n n (\i j k -> 100 * i + 10 * j + k)

-- ==
-- entry: joins
-- input { [1i32, 2i32] [3i32] }
-- output { [1i32, 2i32, 3i32] [3i32, 1i32, 2i32] [2i32, 3i32, 1i32] [3i32, 1i32, 2i32] }
entry joins [n] [m] (xs: [n]i32) (ys: [m]i32) : ([n + m]i32, [m + n]i32, [n + m]i32, [n + m]i32) =
  (xs ++ ys, concat ys xs, rotate 1 (xs ++ ys), rotate (-4) (xs ++ ys))

-- ==
-- entry: shapes
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32] [[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]]
--          [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] }
entry shapes (xs: [2][3]i32) : ([6]i32, [3][2]i32, [3][2]i32) =
  (flatten xs, transpose xs, unflatten (flatten xs))

-- ==
-- entry: deep_shapes
-- input { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32] }
-- output { [[[1i32, 2i32], [3i32, 4i32]], [[5i32, 6i32], [7i32, 8i32]]]
--          [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32]
--          [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32] }
entry deep_shapes (xs: [8]i32) : ([2][2][2]i32, [8]i32, [8]i32) =
  let a: [2][2][2]i32 = unflatten_3d xs
  let b: [1][2][2][2]i32 = unflatten_4d xs
  in (a, flatten_3d a, flatten_4d b)

-- ==
-- entry: copies
-- input { [1i32, 2i32] } output { [1i32, 2i32] [9i32, 2i32] [1i32, 9i32] }
entry copies [n] (xs: [n]i32) : ([n]i32, [n]i32, [n]i32) =
  (xs, copy xs with [0] = 9, manifest xs with [1] = 9)

-- ==
-- entry: folds
-- input { [1i32, 2i32, 3i32] } output { 123i32 321i32 }
-- input { empty([0]i32) } output { 0i32 0i32 }
entry folds (xs: []i32) : (i32, i32) =
  (foldl (\a x -> 10 * a + x) 0 xs, foldr (\x a -> 10 * a + x) 0 xs)

-- ==
-- entry: truths
-- input { [true, false] } output { false true }
-- input { empty([0]bool) } output { true false }
entry truths (xs: []bool) : (bool, bool) = (and xs, or xs)

-- ==
-- entry: zips
-- input { [1i32, 2i32] } output { [5i32, 10i32] [1i32, 2i32] [1i32, 2i32] }
entry zips [n] (xs: [n]i32) : ([n]i32, [n]i32, [n]i32) =
  let (a, b) = unzip (zip xs xs)
  let (c, d) = unzip2 (zip2 a b)
  let (e, f, g) = unzip3 (zip3 c d c)
  let (h, i, j, k) = unzip4 (zip4 e f g e)
  let (l, m, o, p, q) = unzip5 (zip5 h i j k h)
  in (map5 (\a b c d e -> a + b + c + d + e) l m o p q, a, q)
