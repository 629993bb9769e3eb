-- A loop around parallel statements in each cell: one kernel in which a cell has a workgroup, chosen
-- by sizes, beside the kernels that do all cells together.

entry main [n] [m] (k: i64) (xss: [n][m]i32) : [n][m]i32 =
  map (\xs ->
         loop ys = xs
         for _i < k do
           let s = scan (+) 0 ys
           in map2 (\a b -> (a + 3 * b) % 1000) s (reverse ys))
      xss
