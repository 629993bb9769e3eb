-- Branches by a sum: cells choose where there are few of them, else the host waits. A row at a place
-- that is in range only where the arm is taken; a sum of an arm; scalars by a loop.

entry main [n] [m] (xss: [n][m]i64) (k: i64) : ([n][m]i64, i64) =
  loop (xss, s) = (xss, 0)
  for _i < k do
    let p = i64.sum (map (% n) xss[0])
    let (a, b) = if p > 9 then (p / 2, loop c = p while c > 9 do c / 3) else (s, 1)
    in if p < n
       then (map (\i -> if i == 0 then xss[p] else xss[i]) (iota n), a + i64.sum xss[p])
       else (xss, b)
