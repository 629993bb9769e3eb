-- What would fail does not where it does not run: no size is looked at, and no memory asked for, in
-- front of loops and maps that turn out to be empty.
-- ==
-- entry: map_sum map_scan map_filter
-- input { -5i64 0i64 } output { empty([0]i64) }
-- input { 1125899906842624i64 0i64 } output { empty([0]i64) }
-- input { 2305843009213693952i64 0i64 } output { empty([0]i64) }
-- input { 3i64 2i64 } output { [3i64, 3i64] }
-- input { -5i64 2i64 } error: -5.*H7005
-- input { 2305843009213693952i64 2i64 } error: H7012
-- ==
-- entry: counted whiles branch
-- input { -5i64 0i64 } output { 0i64 }
-- input { 1125899906842624i64 0i64 } output { 0i64 }
-- input { 2305843009213693952i64 0i64 } output { 0i64 }
-- input { 3i64 2i64 } output { 3i64 }
-- input { -5i64 2i64 } error: -5.*H7005
-- input { 2305843009213693952i64 2i64 } error: H7012
entry map_sum (n: i64) (k: i64) : []i64 = map (\_ -> i64.sum (iota n)) (iota k)
entry map_scan (n: i64) (k: i64) : []i64 = map (\_ -> last (scan (+) 0 (iota n))) (iota k)
entry map_filter (n: i64) (k: i64) : []i64 = map (\i -> length (filter (>= i - i) (iota n))) (iota k)

entry counted (n: i64) (k: i64) : i64 =
  loop s = 0 for i < k do i64.max s (last (scan (+) 0 (iota n))) + i - i

entry whiles (n: i64) (k: i64) : i64 =
  (loop (i, s) = (0, 0)
   while i < k do
     let xs = iota n with [0] = i
     in (i + 1, i64.max s (i64.sum xs)))
  |> \(_, s) -> i64.min s 3

entry branch (n: i64) (k: i64) : i64 = if k > 0 then i64.sum (iota n) else 0
