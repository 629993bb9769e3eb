-- A sum of cells whose loops have rows, but end each when they like: the cells come first, each a
-- workgroup's, and an invocation does not run one alone.
entry main [m] (limit: f32) (xs: [m]f32) : (bool, [1][m]f32) =
  let (oks, ys) =
    unzip (map (\(i: i64) ->
                  let (k, ys) =
                    loop (k, ys) = (i32.i64 i, xs)
                    while f32.sum ys < limit && k < 100 do
                      (k + 1, map2 (\y j -> y + ys[(j + 1) % m] * 0.5f32) ys (iota m))
                  in (k < 100, ys))
               (iota 1))
  in (and oks, ys)
