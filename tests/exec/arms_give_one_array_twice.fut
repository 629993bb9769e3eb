-- Both results of a branch are one array of it, beside branches whose results are from outside.
-- ==
-- input { [1i32, 2, 3] [4i32, 5, 6] true true 3i64 }
-- output { [2i32, 4, 6] [3i32, 5, 7] [11i32, 12, 13] }
-- input { [1i32, 2, 3] [4i32, 5, 6] true false 3i64 }
-- output { [2i32, 4, 6] [3i32, 5, 7] [11i32, 12, 13] }
-- input { [1i32, 2, 3] [4i32, 5, 6] false true 3i64 }
-- output { [1i32, 2, 3] [5i32, 6, 7] [11i32, 12, 13] }
entry main [n] (xs: [n]i32) (ys: [n]i32) (c: bool) (d: bool) (k: i64) =
  let (a, b) = if c then let t = opaque (map (* 2) xs) in (t, t) else (xs, ys)
  let w = opaque (map (+ 10) xs)
  in (a, map (+ 1) b, w)

-- ==
-- entry: nested
-- input { [1i32, 2, 3] [4i32, 5, 6] true true 3i64 }
-- output { 12i32 [11i32, 12, 13] [3i32, 5, 7] }
-- input { [1i32, 2, 3] [4i32, 5, 6] true false 3i64 }
-- output { 15i32 [11i32, 12, 13] [5i32, 6, 7] }
-- input { [1i32, 2, 3] [4i32, 5, 6] false true 3i64 }
-- output { 6i32 [11i32, 12, 13] [5i32, 6, 7] }
entry nested [n] (xs: [n]i32) (ys: [n]i32) (c: bool) (d: bool) (k: i64) =
  let (a, b) = if c then let t = opaque (if d then map (* 2) xs else ys) in (t, t) else (xs, ys)
  let s = i32.sum a
  let w = opaque (map (+ 10) xs)
  in (s, w, map (+ 1) b)
