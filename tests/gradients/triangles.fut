-- Arrays that loops with bounds of their own change in place: each step overwrites another number of elements.
-- ==
-- entry: below behind crossed products larger smaller
-- input { [1.5, 0.5, 2.0, -1.0, 0.25, 1.0, 0.3, 0.7] }

def squares [n] (xs: [n]f64) : *[n][n]f64 = tabulate_2d n n (\i j -> f64.sin (xs[i] + 0.5 * xs[j]))

entry below [n] (xs: [n]f64) : [n][n]f64 =
  loop a = squares xs
  for i < n do
    loop a = a for j < i + 1 do a with [i, j] = a[i, j] * a[j, j] + a[j, i]

-- Places behind the diagonal, by ranges.
entry behind [n] (xs: [n]f64) : [n][n]f64 =
  loop a = squares xs
  for i < n do
    loop a = a for j in i + 1..<n do a with [i, j] = a[j, i] * a[i, j] - a[i, i]

-- Both rows and columns, in one step.
entry crossed [n] (xs: [n]f64) : [n][n]f64 =
  loop a = squares xs
  for i < n do
    let a = loop a = a for j < n - i do a with [i, i + j] = f64.sin a[i, i + j] * a[i, 0]
    in loop a = a for j < i do a with [j, i] = a[j, i] * a[i, j]

-- Bounds that grow by more than one, in a loop from above.
entry products [n] (xs: [n]f64) : [n][n]f64 =
  let m = n / 2
  in loop a = squares xs
     for k < m do
       let i = m - 1 - k
       in loop a = a for j < 2 * i do a with [i, j] = a[i, j + 1] * a[j, i]

-- The larger of two bounds; a bound that is never positive in most steps.
entry larger [n] (xs: [n]f64) : [n][n]f64 =
  loop a = squares xs
  for i < n do
    let a = loop a = a for j < i64.max i (n - i) do a with [j, 0] = a[j, i] * a[0, 0]
    in loop a = a for j < i - 6 do a with [j, i] = a[j, i] * a[i, i]

-- The smaller of two bounds is largest between the ends of the index's range: all is recorded.
entry smaller [n] (xs: [n]f64) : [n][n]f64 =
  loop a = squares xs
  for i < n do
    loop a = a for j < i64.min i (n - i) do a with [j, i] = a[i, j] * a[j, j] + a[0, i]

-- Matrices in a batch, three loops deep: the inner bounds follow from two indices.
-- ==
-- entry: batches
-- input { [0.5, 0.2, 1.0] }
entry batches [n] (xs: [n]f64) : [n][n][n]f64 =
  loop a = map (\x -> map (map (* x)) (squares xs)) xs
  for i < n do
    loop a = a
    for j < i + 1 do
      loop a = a
      for k < i + j + 1 - n do
        a with [i, j, k] = a[i, j, k] * a[j, i, k] + a[k, k, k]
