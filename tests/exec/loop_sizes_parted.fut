-- Sizes of a carried array that are equal at first differ later, where branches give either.

-- ==
-- entry: shrink
-- input { 3i64 }
-- output { [[[1i64, 10i64, 19i64], [0i64, 9i64, 18i64]], [[4i64, 13i64, 22i64], [3i64, 12i64, 21i64]],
--           [[7i64, 16i64, 25i64], [6i64, 15i64, 24i64]]] }

entry shrink n =
  (loop (xs, k) = (unflatten_3d (iota (n * n * n)), 4)
   while k > 0 do
     match k % 3
     case 0 -> (xs[:n - 1], k - 1)
     case 1 -> (transpose (map transpose xs), k - 1)
     case _ -> (reverse xs, k - 1)).0

-- ==
-- entry: cut
-- input { 3i64 } output { [[0i64, 6i64], [1i64, 7i64], [2i64, 8i64]] }

entry cut n =
  loop xs = unflatten (iota (n * n))
  for i < n do
    if i == 1 then transpose (filter (\x -> x[0] != 3) xs) else xs
