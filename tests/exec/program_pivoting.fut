-- Systems of equations by elimination with partial pivoting; the determinant's sign counts swaps.
-- tolerance: 1e-9
-- ==
-- input { 12i64 }
-- output { 1.2489516336820363f64 8i32 }
entry main (n: i64) : (f64, i32) =
  let a = tabulate_2d n n (\i j -> f64.i64 ((i * 17 + j * 31 + i * j * 7) % 101) - 50 + if i == j then 10 else 0)
  let b = tabulate n (\i -> f64.i64 (i % 9))
  let (a, b, swaps) =
    loop (a, b, swaps) = (a, b, 0i32)
    for k < n do
      let larger (x: (f64, i64)) (y: (f64, i64)) = if y.0 > x.0 || (y.0 == x.0 && y.1 < x.1) then y else x
      let column = tabulate n (\i -> if i < k then (-1, i) else (f64.abs a[i, k], i))
      let (_, p) = reduce_comm larger (-2, i64.highest) column
      let (a, b, swaps) =
        if p == k
        then (a, b, swaps)
        else let pick i = if i == k then p else if i == p then k else i
             in (map (\i -> a[pick i]) (iota n), map (\i -> b[pick i]) (iota n), swaps + 1)
      let factors = tabulate n (\i -> if i <= k then 0 else a[i, k] / a[k, k])
      let row = a[k]
      let bk = b[k]
      in (map2 (\f r -> map2 (\x y -> x - f * y) r row) factors a, map2 (\f x -> x - f * bk) factors b, swaps)
  let x =
    loop x = replicate n 0
    for t < n do
      let i = n - 1 - t
      let s = f64.sum (map2 (*) a[i] x)
      in x with [i] = (b[i] - s) / a[i, i]
  in (f64.sum x, swaps)
