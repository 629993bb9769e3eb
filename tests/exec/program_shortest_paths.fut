-- Shortest paths from one node: Bellman-Ford over an edge list, and the same by a frontier.
-- tolerance: exact
-- ==
-- input { 20i64 60i64 }
-- output { [0i32, 1i32, 22i32, 33i32, 37i32, 14i32, 2147483647i32, 28i32, 41i32, 15i32, 22i32, 7i32, 54i32, 25i32, 17i32, 2147483647i32, 40i32, 41i32, 28i32, 32i32] 6i32 6i32 }
type graph [m] = {from: [m]i64, to: [m]i64, cost: [m]i32}

def bellman_ford [m] (n: i64) (g: graph [m]) (source: i64) : ([n]i32, i32) =
  let start = tabulate n (\i -> if i == source then 0 else i32.highest)
  let (dist, _, rounds) =
    loop (dist, changed, k) = (start, true, 0)
    while changed && k < i32.i64 n do
      let offers = map2 (\u c -> if dist[u] == i32.highest then i32.highest else dist[u] + c) g.from g.cost
      let next = reduce_by_index (copy dist) i32.min i32.highest g.to offers
      in (next, or (map2 (!=) dist next), k + 1)
  in (dist, rounds)

def frontier [m] (n: i64) (g: graph [m]) (source: i64) : ([n]i32, i32) =
  let dist = replicate n i32.highest with [source] = 0
  let active = replicate n false with [source] = true
  let (dist, _, rounds) =
    loop (dist, active, k) = (dist, active, 0i32)
    while or active do
      let used = filter (\e -> active[g.from[e]]) (iota m)
      let offers = map (\e -> dist[g.from[e]] + g.cost[e]) used
      let next = reduce_by_index (copy dist) i32.min i32.highest (map (\e -> g.to[e]) used) offers
      in (next, map2 (<) next dist, k + 1)
  in (dist, rounds)

entry main (n: i64) (m: i64) : ([n]i32, i32, i32) =
  let g =
    { from = tabulate m (\i -> (i * 31) % n)
    , to = tabulate m (\i -> (i * 31 + 1 + (i * i) % 57) % n)
    , cost = tabulate m (\i -> i32.i64 (1 + (i * 17) % 29))
    }
  let (a, ka) = bellman_ford n g 0
  let (b, kb) = frontier n g 0
  in (map2 (\x y -> if x == y then x else -1) a b, ka, kb)
