-- zip and unzip of two and three arrays, nested.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32] [3i64, 4i64] [true, false] }
-- output { [1i32, 2i32] [3i64, 4i64] [true, false] [4i64, 6i64] 2i32 false }
entry main [n] (a: [n]i32) (b: [n]i64) (c: [n]bool) =
  let (x, y, z) = unzip3 (zip3 a b c)
  let nested = zip (zip a b) c
  let ((p, _), q) = nested[1]
  in (x, y, z, map (\((u, v), _) -> i64.i32 u + v) nested, p, q)
