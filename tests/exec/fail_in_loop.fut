-- The failure of a later step is found, after the steps before it.
-- ==
-- input { 5i64 }
-- error: `\[3.`.*H7001
-- ==
-- input { 3i64 }
-- output { [0i64, 1i64, 3i64] }
entry main (n: i64) : [3]i64 =
  loop a = iota 3
  for i < n do
    map (\j -> if j == i then a[i] + a[i64.max 0 (i - 1)] else a[j]) (iota 3) with [i] = a[i] + (if i == 0 then 0 else a[i - 1])
