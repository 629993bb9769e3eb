-- A loop in each cell, with scalars that all cells share: the host's loop, whose steps are nests. The
-- scalar of a cell's own stays with the arrays.

entry main [n] [m] (xss: [n][m]i32) : ([n][m]i32, [n]i64, [n]i32) =
  let cell (xs: [m]i32) =
    loop (xs, k, s) = (xs, 1, 0)
    while k < m do
      let ys = if k % 3 == 0 then reverse xs else scan (+) 0 xs
      in (ys, k * 2, s + ys[0])
  in unzip3 (map cell xss)
