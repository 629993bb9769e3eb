-- Reductions and scans with operators of arrays and pairs; sequential code inside map.
-- tolerance: exact
-- ==
-- input { [[1i32,2i32,3i32],[4i32,5i32,6i32]] }
-- output { [[1i32, 2i32, 3i32], [5i32, 7i32, 9i32]] [4i32, 5i32, 6i32] [5i32, 7i32, 9i32] 1i64 [1i64, 3i64] [[7i32, 2i32, 8i32], [7i32, 5i32, 8i32]] [[2i32, 4i32], [10i32, 5i32]] [12i32, 30i32] }
entry main [n] [m] (xss: [n][m]i32) =
  let s = scan (map2 (+)) (replicate m 0) xss
  let r = reduce (map2 i32.max) (replicate m i32.lowest) xss
  let t = reduce (\(a, b) (c, d) -> (map2 (+) a c, b + d)) (replicate m 0, 0i64) (zip xss (iota n))
  let u = map (\xs -> length (filter (> 2) xs)) xss
  let v = map (\xs -> scatter (copy xs) [0, 2] [7, 8]) xss
  let w = map (\xs -> reduce_by_index (replicate 2 0) (+) 0 (map (\x -> i64.i32 x % 2) xs) xs) xss
  let x = map (\xs -> i32.sum (loop a = copy xs for i < m do a with [i] = a[i] * 2)) xss
  in (s, r, t.0, t.1, u, v, w, x)
