-- Loops change carried arrays in place, unless those have another use.
-- ==
-- entry: fill
-- input { 5i64 } output { [0i64, 0i64, 1i64, 3i64, 6i64] }
-- ==
-- entry: borrowed
-- input { [1i32, 2i32, 3i32] } output { [2i32, 3i32, 4i32] [1i32, 2i32, 3i32] }
-- ==
-- entry: exchanged
-- input { [1i32, 2i32, 3i32] [10i32, 20i32, 30i32] 3i32 }
-- output { [10i32, 21i32, 30i32] [2i32, 2i32, 4i32] }
-- ==
-- entry: kept
-- input { [1i32, 2i32, 3i32] } output { [1i32, 2i32, 3i32] 14i32 }
-- ==
-- entry: rows
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { [[3i32, 3i32], [7i32, 7i32]] }
-- ==
-- entry: wavefront
-- input { 4i64 } output { 20i32 }
-- ==
-- entry: choosing
-- input { [5i32, 6i32, 7i32, 8i32] } output { [0i32, 6i32, 2i32, 8i32] }
entry fill (n: i64) : [n]i64 =
  loop a = replicate n 0 for i < n - 1 do a with [i + 1] = a[i] + i

entry borrowed [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  (loop a = copy xs for i < n do a with [i] = a[i] + 1, xs)

entry exchanged [n] (xs: [n]i32) (ys: [n]i32) (k: i32) : ([n]i32, [n]i32) =
  loop (a, b) = (copy xs, copy ys) for i < k do (b, a with [i64.i32 i] = a[i64.i32 i] + 1)

-- The old array is wanted after the update.
entry kept [n] (xs: [n]i32) : ([n]i32, i32) =
  let (_, _, s) =
    loop (a, old, s) = (xs, xs, 0)
    for i < n do
      let b = copy a with [i] = 2 * a[i]
      in (b, a, s + b[i] - old[i] + a[i] - old[0] + 1)
  in (xs, s + 3)

entry rows [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  map (\xs ->
         let s = loop a = copy xs for i < m - 1 do a with [i + 1] = a[i] + a[i + 1]
         let last = s[m - 1]
         in loop a = s for i < m do a with [i] = last)
      xss

entry wavefront (n: i64) : i32 =
  let a = tabulate_2d n n (\i j -> if i == 0 || j == 0 then 1i32 else 0)
  let a =
    loop a for d in 2i64...(2 * n - 2) do
      let lo = i64.max 1 (d - n + 1)
      let hi = i64.min (n - 1) (d - 1)
      let is = map (\t -> (lo + t, d - lo - t)) (iota (hi - lo + 1))
      let vs = map (\(i, j) -> a[i - 1, j] + a[i, j - 1]) is
      in scatter_2d a is vs
  in a[n - 1, n - 1]

entry choosing [n] (xs: [n]i32) : [n]i32 =
  loop a = copy xs
  for i < n do
    if i % 2 == 0 then a with [i] = i32.i64 i else a
