-- A failing operator stops at the first element that fails; a failing element comes first if it is evaluated first.
-- ==
-- entry: in_operator
-- input { [7i64, 3i64, 0i64, 2i64] }
-- error: division by zero.*H7003
-- ==
-- entry: in_element
-- input { [0i64, 9i64] }
-- error: `\[9.`.*H7001
-- ==
-- entry: in_scan
-- input { [1i64, 0i64] }
-- error: division by zero.*H7003
entry in_operator [n] (a: [n]i64) : i64 = reduce (\x y -> x / y) 1000 a
entry in_element [n] (a: [n]i64) : i64 = reduce (\x y -> x / y) 10 (map (\i -> a[i]) a)
entry in_scan [n] (a: [n]i64) : [n]i64 = scan (\x y -> x / y) 10 a
