-- Results that steps write row by row and never read, beside arrays that they read; rows of few channels with many elements.
-- ==
-- entry: rows
-- input { 0i64 20i64 3i64 }
-- input { 2i64 1i64 0i64 }
-- input { 3i64 20i64 5i64 }
-- input { 2i64 100i64 40i64 }
-- input { 2i64 300i64 150i64 }
entry rows (b: i64) (n: i64) (steps: i64) : ([b][n]i32, [b][steps][n]i32) =
  let starts = tabulate_2d b n (\i j -> i32.i64 ((i * 31 + j * 7) % 13))
  in unzip (map (\start ->
                   loop (v, rows) = (start, replicate steps (replicate n 0))
                   for t < steps do
                     let w = map (\j -> (v[j] * 3 + v[(j + 1) % n]) % 1009) (iota n)
                     in (w, rows with [t] = w))
                starts)

-- The likeliest states of hidden Markov models, and the ways back.
-- ==
-- entry: states
-- input { 2i64 1i64 20i64 }
-- input { 3i64 10i64 17i64 }
-- input { 5i64 200i64 64i64 }
entry states (batch: i64) (len: i64) (n: i64) : [batch]i64 =
  let trans = tabulate_2d n n (\i j -> i32.i64 ((i * 7 + j * 3) % 11))
  let better (a, i) (c, k) = if c > a then (c, k) else (a, i)
  in map (\b ->
            let (v, back) =
              loop (v, back) = (map (\s -> i32.i64 (s % 5)) (iota n), replicate len (replicate n 0i64))
              for t in 1..<len do
                let best = map (\j -> reduce better (i32.lowest, 0) (map (\i -> (v[i] + trans[i, j], i)) (iota n))) (iota n)
                in (map2 (\(x, _) j -> x + i32.i64 ((j + b + t) % 3)) best (iota n), back with [t] = map (.1) best)
            let (_, last) = reduce better (i32.lowest, 0) (zip v (iota n))
            in (loop (s, acc) = (last, last) for k < len - 1 do let s = back[len - 1 - k, s] in (s, acc + s)).1)
         (iota batch)

-- A step reads what an earlier one has written.
-- ==
-- entry: read_back
-- input { 2i64 20i64 3i64 }
-- input { 2i64 100i64 40i64 }
entry read_back (b: i64) (n: i64) (steps: i64) : [b][steps][n]i32 =
  map (\i ->
         loop rows = replicate steps (replicate n (i32.i64 i))
         for t < steps do
           let w = map (\j -> rows[i64.max 0 (t - 1), (j + 1) % n] + 1) (iota n)
           in rows with [t] = w)
      (iota b)

-- ==
-- entry: channels
-- input { 0i64 5i64 }
-- input { 2i64 1i64 }
-- input { 3i64 100i64 }
entry channels (p: i64) (n: i64) : [p][3][n]i32 =
  let imgs = tabulate_3d p 3 n (\i j k -> i32.i64 ((i * 31 + j * 7 + k) % 13 + 1))
  in map (\img ->
            let sums = map (scan (+) 0) img
            in map (\c -> map (\i -> c[n - 1 - i] / c[n - 1]) (iota n)) sums)
         imgs
