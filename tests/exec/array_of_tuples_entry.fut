-- Records and tuples inside maps: only leaves are stored.
-- tolerance: exact
-- ==
-- input { [3i32, 1i32, 2i32] }
-- output { [3i32, 1i32, 2i32] [9i64, 1i64, 4i64] [[3i32, 3i32], [1i32, 1i32], [2i32, 2i32]] }
entry main [n] (a: [n]i32) : ([n]i32, [n]i64, [n][2]i32) =
  let rows = map (\x -> {name = x, data = (i64.i32 (x * x), [x, x])}) a
  in (map (\r -> r.name) rows, map (\r -> r.data.0) rows, map (\r -> r.data.1) rows)
