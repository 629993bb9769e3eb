-- Earliest starts of jobs with dependencies: levels of a graph by in-degrees (Kahn), and the critical path.
-- tolerance: exact
-- ==
-- input { 40i64 90i64 }
-- output { 6i32 30i32 40i64 }
entry main (n: i64) (m: i64) : (i32, i32, i64) =
  let from = tabulate m (\i -> (i * 37) % (n - 1))
  let to = map (\u -> u + 1 + (u * 13) % 19) from |> map (i64.min (n - 1))
  let cost = tabulate n (\i -> i32.i64 (1 + (i * 7) % 9))
  let degree = hist (+) 0i32 n to (replicate m 1)
  let (_, start, _, rounds, done) =
    loop (degree, start, ready, rounds, done) = (degree, replicate n 0i32, map (== 0) degree, 0i32, 0i64)
    while or ready do
      let free = filter (\e -> ready[from[e]]) (iota m)
      let targets = map (\e -> to[e]) free
      let start' = reduce_by_index (copy start) i32.max 0 targets (map (\e -> start[from[e]] + cost[from[e]]) free)
      let degree' = reduce_by_index (copy degree) (+) 0 targets (map (const (-1)) free)
      let ready' = map3 (\before now d -> d > 0 && now == 0 && before != now) degree degree' degree
      in (degree', start', ready', rounds + 1, done + i64.sum (map i64.bool ready))
  in (rounds, i32.maximum (map2 (+) start cost), done)
