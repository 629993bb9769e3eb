-- Whole arrays that branches and loops pass on: copied by a kernel where they are large, with an end
-- that is no vector.
-- ==
-- entry: passed
-- input { 7i64 true }
-- input { 2100003i64 true }
-- input { 2100003i64 false }
entry passed (n: i64) (c: bool) : (i64, i64) =
  let xs = map (\i -> u8.i64 (i * 7)) (iota (n * 2))
  let (ys, zs) = loop (ys, zs) = (xs, xs) for i < 3i32 do (zs, if c then ys else map (+ 1) zs)
  in (i64.sum (map2 (\i y -> i64.u8 y * (i % 13)) (iota (n * 2)) ys), i64.sum (map2 (\i y -> i64.u8 y * (i % 7)) (iota (n * 2)) zs))
