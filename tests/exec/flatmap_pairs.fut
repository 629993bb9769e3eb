-- Segments of pairs and of rows.
-- tolerance: exact
-- ==
-- input { [1i64, 2i64] }
-- output { [1i32, 2i32, 2i32] [0i64, 0i64, 1i64] [[1i64, 0i64], [2i64, 0i64], [2i64, 1i64]] }
entry main [n] (xs: [n]i64) =
  let (_, _, _, data, _) = flatmap (\x : ([](i32, i64), ()) -> (map (\i -> (i32.i64 x, i)) (iota x), ())) xs
  let (_, _, _, rows, _) = flatmap (\x : ([][2]i64, ()) -> (map (\i -> [x, i]) (iota x), ())) xs
  let (a, b) = unzip data
  in (a, b, rows)
