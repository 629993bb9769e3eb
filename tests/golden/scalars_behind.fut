-- Branches in front of a sum that does not need them are computed with the cell's result.
entry main [n] (t: [n][n]i32) (s: [n]i32) (d: i64) : []i32 =
  map (\i ->
         let j = i + d
         let inner = if i + 1 <= j - 1 then t[i + 1, j - 1] else 0
         let pair = if d > 1 && s[i] + s[j] == 3 then 1 else 0
         let split = i32.maximum (map (\k -> t[i, i + k] + t[i + k + 1, j]) (iota d))
         in i32.max (inner + pair) split)
      (iota (n - d))
