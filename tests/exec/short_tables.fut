-- Loops whose steps change a row, or a diagonal, of a table: one workgroup for all steps, with the
-- table in the device's memory where it is large.
-- ==
-- entry: rows
-- input { 1i64 1i64 } output { 0i64 }
-- input { 7i64 5i64 }
-- input { 130i64 90i64 }
-- ==
-- entry: diagonals
-- input { 2i64 } output { 0i32 }
-- input { 9i64 }
-- input { 140i64 }
-- ==
-- entry: order
-- input { 3i64 }
-- input { 40i64 }
-- ==
-- entry: eliminated
-- input { 1i64 }
-- input { 17i64 }
-- input { 64i64 }

entry rows (h: i64) (w: i64) : i64 =
  let e = tabulate_2d h w (\i j -> (i * 31 + j * j * 7) % 23)
  let cost =
    loop cost = copy e
    for i < h - 1 do
      let before = cost[i]
      let row =
        tabulate w (\j ->
                      e[i + 1, j]
                      + i64.min before[j]
                                (i64.min before[i64.max 0 (j - 1)] before[i64.min (w - 1) (j + 1)]))
      in cost with [i + 1] = row
  in i64.minimum cost[h - 1] + cost[h / 2, w / 2]

entry diagonals (n: i64) : i32 =
  let letters = tabulate n (\i -> (i * i + 3 * i) % 4)
  let best =
    loop t = replicate n (replicate n 0i32)
    for d in 1..<n do
      let row =
        map (\i ->
               let j = i + d
               let pair = i32.bool (letters[i] + letters[j] == 3)
               in loop best = t[i + 1, j - 1] + pair
                  for k < d do
                    i32.max best (t[i, i + k] + t[i + k + 1, j]))
            (iota (n - d))
      in scatter_2d t (map (\i -> (i, i + d)) (iota (n - d))) row
  in best[0, n - 1]

entry order (n: i64) : i64 =
  let d = tabulate (n + 1) (\i -> 1 + (i * 37) % 19)
  let cost =
    loop t = replicate n (replicate n 0i64)
    for l in 1..<n do
      let row =
        tabulate (n - l) (\i ->
                            let j = i + l
                            in i64.minimum (map (\k ->
                                                   t[i, i + k] + t[i + k + 1, j]
                                                   + d[i] * d[i + k + 1] * d[j + 1])
                                                (iota l)))
      in scatter_2d t (tabulate (n - l) (\i -> (i, i + l))) row
  in cost[0, n - 1]

entry eliminated (n: i64) : [n][n]f64 =
  let a = tabulate_2d n n (\i j -> if i == j then f64.i64 n else f64.i64 ((i * 7 + j * 5) % 11) / 16)
  in loop a for k < n - 1 do
       tabulate_2d n n (\i j ->
                          if i > k && j >= k then a[i, j] - a[i, k] * a[k, j] / a[k, k] else a[i, j])
