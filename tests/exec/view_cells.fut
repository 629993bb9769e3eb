-- Nests whose cells only look at their rows in another way, in branches that all cells take alike.

-- | Rows one behind the other, or columns.
-- ==
-- entry: branches
-- input { true [[[1, 2, 3], [4, 5, 6]]] } output { [[1, 4, 3, 9, 6, 15]] }
-- input { false [[[1, 2, 3], [4, 5, 6]]] } output { [[1, 2, 3, 4, 5, 6]] }
-- input { true empty([0][2][3]i32) } output { empty([0][6]i32) }
-- input { true empty([2][0][3]i32) } output { empty([2][0]i32) }
entry branches [n] [a] [b] (turned: bool) (xsss: [n][a][b]i32) : [n][a * b]i32 =
  map (\xss -> if turned then flatten (transpose (map (scan (+) 0) xss)) :> [a * b]i32 else flatten xss) xsss

-- | The result is an array of its own: changing it leaves the rows alone.
-- ==
-- entry: owned
-- input { true [[1, 2], [3, 4]] } output { [[9, 2], [9, 4]] [[1, 2], [3, 4]] }
-- input { false [[1, 2], [3, 4]] } output { [[9, 3], [9, 7]] [[1, 2], [3, 4]] }
entry owned [n] [m] (same: bool) (xss: [n][m]i32) =
  let yss: *[n][m]i32 =
    map (\xs -> if same then flatten (unflatten (xs :> [1 * m]i32)) :> [m]i32 else scan (+) 0 xs) xss
  in (map (\ys -> copy ys with [0] = 9) yss, xss)

-- | Nests of two levels, and a loop around.
-- ==
-- entry: turns
-- input { 0i64 [[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]]] } output { [[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]]] }
-- input { 3i64 [[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]]] } output { [[[[1, 3], [2, 4]]], [[[5, 7], [6, 8]]]] }
entry turns [n] [k] [a] (count: i64) (xss: [n][k][a][a]i32) =
  map (map (\x -> loop x for i < count do if i == 5 then map (scan (+) 0) x else transpose x)) xss
