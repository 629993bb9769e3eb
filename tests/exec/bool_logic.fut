-- `&& || !` and comparison of booleans; the right side runs only if it matters.
-- tolerance: exact
-- ==
-- input { [true, true, false, false] [true, false, true, false] }
-- output { [true, false, false, false] [true, true, true, false] [false, false, true, true]
--   [true, false, false, true] }
-- ==
-- entry: short
-- input { [1i32, 2i32] 5i64 }
-- output { false true }
entry main [n] (a: [n]bool) (b: [n]bool) =
  (map2 (\x y -> x && y) a b, map2 (\x y -> x || y) a b, map (\x -> !x) a, map2 (==) a b)

entry short [n] (a: [n]i32) (i: i64) = (i < n && a[i] == 1, i >= n || a[i] == 1)
