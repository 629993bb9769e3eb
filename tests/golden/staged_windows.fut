-- The steps of each cell's loop read a block of a matrix, whose elements are checked: the workgroup
-- stages it in front of the loop. Checks stand in front of the reads that they do not depend on.

entry main [m] (xss: [m][m]i32) (ks: [m]i32) =
  let b = i64.min m 32
  in tabulate (m / b) (\r ->
                         let part = xss[r * b:(r + 1) * b, :b] :> [b][b]i32
                         in loop ys = replicate b 0
                            for i < b do
                              map2 (\y j -> y * 3 + part[i, i64.i32 ks[j]]) ys (iota b))
