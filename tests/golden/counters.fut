-- Counters of several digits as one tuple: scans of their own, which the scatter takes along.

entry main [n] (xs: [n]i32) : [n]i32 =
  let add (a1, b1) (a2, b2) = (a1 + a2, b1 + b2) : (i64, i64)
  let flags = map (\x -> (i64.bool (x % 2 == 0), i64.bool (x % 2 != 0))) xs
  let (evens, _) = reduce_comm add (0, 0) flags
  let place x (i, j) = if x % 2 == 0 then i - 1 else evens + j - 1
  in scatter (copy xs) (map2 place xs (scan add (0, 0) flags)) xs
