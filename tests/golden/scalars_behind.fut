-- Branches in front of a sum that does not need them are computed with the cell's result.
entry main [n] (t: *[n][n]i32) (s: [n]i32) : [n][n]i32 =
  loop t = t
  for d in 1...n - 1 do
    let m = n - d
    let vals =
      map (\i ->
             let j = i + d
             let best = i32.max t[i + 1, j] t[i, j - 1]
             let inner = if i + 1 <= j - 1 then t[i + 1, j - 1] else 0
             let pair = if d > 1 && s[i] + s[j] == 3 then 1 else 0
             let split = i32.maximum (map (\k -> t[i, i + k] + t[i + k + 1, j]) (iota d))
             in i32.max (i32.max best (inner + pair)) split)
          (iota m)
    in scatter_2d t (map (\i -> (i, i + d)) (iota m)) vals
