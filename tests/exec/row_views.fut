-- Maps that give rows of another array are views: their consumers read the rows in place (lang/passes/fuse).
-- ==
-- entry: around
-- input { [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] } output { [[9i32, 12i32], [9i32, 12i32], [9i32, 12i32]] }
-- input { empty([0][2]i32) } output { empty([0][2]i32) }
entry around [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  let add = map2 (map2 (+))
  in add xs (add (rotate 1 xs) (rotate (-1) xs))

-- ==
-- entry: picked
-- input { [[1i32, 2i32], [3i32, 4i32]] [1i64, 1i64, 0i64] } output { [[4i32, 5i32], [4i32, 5i32], [2i32, 3i32]] [7i32, 7i32, 3i32] }
-- input { [[1i32, 2i32], [3i32, 4i32]] [1i64, 2i64, 0i64] } error: out of range
entry picked (xs: [][]i32) (is: []i64) =
  let rows = map (\i -> xs[i]) is
  in (map (map (+ 1)) rows, map i32.sum rows)

-- ==
-- entry: changed
-- input { [[1i32, 2i32], [3i32, 4i32]] [1i64, 1i64] } output { [[9i32, 4i32], [9i32, 4i32]] [[1i32, 2i32], [3i32, 4i32]] }
entry changed [n] (xs: [n][2]i32) (is: []i64) =
  (map (\(row: [2]i32) -> copy row with [0] = 9) (map (\i -> xs[i]) is), xs)

-- ==
-- entry: slices
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] } output { [5i32, 11i32] [[2i32, 3i32], [5i32, 6i32]] }
entry slices [n] (xs: [n][3]i32) =
  let tails = map (\row -> row[1:3]) xs
  in (map i32.sum tails, map (\t -> map (+ 0) t) tails)
