-- Scans whose operators check what they combine: no tile's sum is read that none has written.
-- ==
-- entry: composed
-- input { 1i64 } output { 0i32 }
-- input { 4i64 } output { 1i32 }
-- input { 1000i64 }
-- input { 1024i64 }
-- input { 1025i64 }
-- input { 5000i64 }
-- ==
-- entry: rows
-- input { 5i64 10i64 }
-- input { 3i64 3000i64 }
-- ==
-- entry: asserted
-- input { 100i64 } output { 4950i64 }
def op (a: i32, c: i32) (b: i32, d: i32) = let r = [b, d] in (r[a], r[c])

entry composed (n: i64) : i32 =
  let s = map (\i -> i32.i64 (i % 3) % 2) (iota n)
  in i32.sum (map (.0) (scan op (0, 1) (map (\x -> (x, 1 - x)) s))) % 2

entry rows (n: i64) (m: i64) : [n]i32 =
  map (\i -> i32.sum (map (.0) (scan op (0, 1) (map (\j -> let x = i32.i64 ((i + j) % 2) in (x, 1)) (iota m))))) (iota n)

entry asserted (n: i64) : i64 =
  last (scan (\a b -> assert (a >= 0 && b >= 0) (a + b)) 0 (iota n))
