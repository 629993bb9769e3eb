-- Loops that are split at a bound, or by what does not change, have an array of its own for each
-- iteration in each piece: the pieces shared one, so lanes of a vector read what others wrote.
-- ==
-- entry: written_once
-- input { 9i64 } output { [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] }
-- input { 17i64 } error: out of range
-- ==
-- entry: scanned
-- input { 4i64 5i32 } output { [0, 1, 32, 243] }
-- input { 100i64 5i32 }
-- input { 4i64 -1i32 } error: negative exponent
-- ==
-- entry: updated
-- input { 9i64 } output { [0i64, 20i64, 40i64, 60i64, 80i64, 100i64, 120i64, 140i64, 160i64] }
-- ==
-- entry: counted
-- input { 70i64 3i64 }
-- input { 70i64 100i64 }
entry written_once (n: i64) = map (\i -> let ys = replicate 16 0 with [0] = i in ys[i]) (iota n)

entry scanned (n: i64) (x: i32) =
  map (\i -> (scan (+) 0 (map (\j -> i32.i64 i ** x) (iota 3)))[0]) (iota n)

entry updated (n: i64) =
  map (\i ->
         let ys = loop ys = replicate 17 0 for j < 20 do ys with [0] = i + ys[0]
         in ys[i] + ys[0])
      (iota n)

entry counted (n: i64) (k: i64) =
  map (\i ->
         let bins = hist (+) 0 8 (map (\j -> (i * j) % 8) (iota 20)) (map (+ i) (iota 20))
         in if i < k then bins[i % 8] else if k == 3 then bins[(i + 1) % 8] else bins[0])
      (iota n)
