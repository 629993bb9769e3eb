-- LU decomposition by updates of elements.
-- in loops:
entry main [n] (a: *[n][n]f64) : [n][n]f64 =
  loop a for k < n do
    loop a for i in (k + 1)..<n do
      let l = a[i, k] / a[k, k]
      let a[i, k] = l
      in loop a for j in (k + 1)..<n do a with [i, j] = a[i, j] - l * a[k, j]
