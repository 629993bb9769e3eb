-- Cells that make all that they work on: many of them run whole, one in each invocation, a chain of
-- maps as one; few of them one statement for all cells after another.
-- ==
-- entry: paths
-- input { 3i64 20i64 }
-- output { [747i64, 791i64, 751i64] }
-- ==
-- entry: total
-- input { 66000i64 18i64 }
-- output { 40788090i64 }
-- input { 1000i64 18i64 }
-- output { 618050i64 }
entry paths (n: i64) (k: i64) : [n]i64 =
  let bs = map (\i -> scan (+) 0 (map (\j -> (i * j + 3) % 7) (iota k))) (iota n)
  let cs = map (\b -> let t = reverse b in map2 (\x y -> x * 2 - y) b t) bs
  in map (\c -> i64.sum (scan i64.max i64.lowest c) % 1000 + c[k - 1]) cs

entry total (n: i64) (k: i64) : i64 = i64.sum (paths n k)
