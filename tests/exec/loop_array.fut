-- A carried array that is updated in place, and one that is replaced.
-- tolerance: exact
-- ==
-- input { 6i64 }
-- output { [0i64, 1i64, 3i64, 6i64, 10i64, 15i64] [63i64, 64i64, 65i64] }
entry main (n: i64) : ([n]i64, [3]i64) =
  let sums = loop a = iota n for i < n - 1 do a with [i + 1] = a[i] + a[i + 1]
  let rest = loop b = [0i64, 1, 2] for _i < n do map2 (+) b (map (\x -> x + 1 - x) b)
  let power = loop b = iota 3 for i < n do map (\x -> x + (1 << i)) b
  in (sums, map2 (\x y -> x + y - y) power rest)
