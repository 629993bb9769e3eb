-- Few cells with long rows of their own lengths: a workgroup, or several, for each on the GPU.

def numbers (n: i64) : [n]i64 = map (\i -> (i * 7919) % 1009 - 300) (iota n)

-- Rows overlap; the code behind the sum needs the whole of it.
-- ==
-- entry: autocorrelation
-- input { 0i64 1i64 }
-- input { 5i64 3i64 }
-- input { 700i64 64i64 }
-- input { 20000i64 40i64 }
-- input { 70000i64 3i64 }
-- input { 16384i64 1i64 }
entry autocorrelation (n: i64) (lags: i64) : ([lags]i64, [lags]f32) =
  let xs = numbers n
  let ys = map f32.i64 xs
  in unzip (tabulate lags (\lag ->
                             let m = i64.max 0 (n - lag)
                             let s = i64.sum (tabulate m (\i -> xs[i] * xs[i + lag]))
                             let digits = loop d = 0 for k < 1 + s % 7 do d * 10 + k
                             in (s ^ digits, f32.sum (map2 (*) ys[:m] ys[n - m:]))))

-- One row for each cell.
-- ==
-- entry: one_row
-- input { 700i64 64i64 }
-- input { 20000i64 40i64 }
-- input { 40000i64 2i64 }
entry one_row (n: i64) (lags: i64) : [lags](i64, f32) =
  let xs = numbers n
  in tabulate lags (\lag ->
                      let s = i64.sum (tabulate (n - lag) (\i -> xs[i] * xs[i + lag]))
                      let t = if s < 0 then 0 else f32.sqrt (f32.i64 s)
                      in (loop d = s for k < 1 + s % 7 do d * 3 + k, t))

-- Elements keep their order; several values for each cell, in two dimensions.
-- ==
-- entry: first_largest
-- input { 900i64 4i64 }
-- input { 33000i64 6i64 }
-- input { 17000i64 1i64 }
entry first_largest (n: i64) (k: i64) : [2][k](i64, i64) =
  let xs = numbers n
  let later (x, i) (y, j) = if j < 0 || (i >= 0 && x >= y) then (x, i) else (y, j)
  in tabulate_2d 2 k (\b i ->
                        let first = (b + i * 5) % 17
                        in reduce later (0, -1) (tabulate (n - first) (\j -> (xs[first + j], first + j))))

-- Rows of a sparse matrix, of very different lengths: 2^i, and empty ones between.
-- ==
-- entry: powers
-- input { 12i64 }
-- input { 15i64 }
entry powers (k: i64) : [2 * k]i64 =
  let starts = map (\i -> (1 << (i / 2)) - 1) (iota (2 * k + 1))
  let xs = numbers (1 << k)
  in map (\i -> i64.sum xs[starts[i]:starts[i + 1]]) (iota (2 * k))

-- Elements that fail, in one of the parts of a row; checks in front of it and behind it.
-- ==
-- entry: fails
-- input { 20000i64 20000i64 100i64 }
-- input { 20000i64 19990i64 100i64 } error: H7001
-- input { 20000i64 20000i64 0i64 } error: H7003
-- input { 3000i64 2500i64 100i64 } error: H7001
entry fails (n: i64) (m: i64) (d: i64) : [8]i64 =
  let xs = numbers m
  let places = map (\i -> (i * 7) % n) (iota n)
  in tabulate 8 (\c ->
                   let s = i64.sum (tabulate (n - c) (\i -> xs[places[i + c]]))
                   in s / d)
