-- A size that a loop carries together with an array of that size, and that the device computes.
-- tolerance: exact
-- ==
-- input { [5i64, 0i64, 1i64, 9i64, 2i64] }
-- output { 3i64 [1i64, 3i64, 5i64, 7i64] }
entry main [n] (xs: [n]i64) =
  let (_, best, longest) =
    loop (i, best, longest) = (0i64, 0i64, filter (< 0) xs)
    while i < n do
      let odd = filter (\j -> j % 2 == 1) (iota xs[i])
      in if length odd > length longest then (i + 1, i, odd) else (i + 1, best, longest)
  in (best, longest)
