-- Graphs: breadth-first search by frontiers, union-find, page rank, topological order, list ranking.
-- ==
-- entry: bfs
-- input { [0i64, 2i64, 4i64, 5i64, 6i64, 6i64] [1i64, 2i64, 3i64, 0i64, 3i64, 4i64] 0i64 } output { [0, 1, 1, 2, 3] }
-- input { [0i64, 2i64, 4i64, 5i64, 6i64, 6i64] [1i64, 2i64, 3i64, 0i64, 3i64, 4i64] 3i64 } output { [-1, -1, -1, 0, 1] }
-- ==
-- entry: components
-- input { 6i64 [0i64, 2i64, 4i64] [1i64, 1i64, 5i64] } output { [0i64, 0i64, 0i64, 3i64, 4i64, 4i64] 3i64 }
-- ==
-- entry: topological
-- input { [[false, true, true, false], [false, false, false, true], [false, false, false, true], [false, false, false, false]] }
-- output { [0i64, 1i64, 2i64, 3i64] }
-- ==
-- entry: list_ranks
-- input { [3i64, 0i64, 2i64, 2i64] } output { [2i64, 3i64, 0i64, 1i64] }
-- ==
-- entry: sieve
-- input { 20i64 } output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64] }

type graph [n] [m] = {starts: [n]i64, edges: [m]i64}

def visit [n] [m] (g: graph [n] [m]) (costs: *[]i32) (frontier: []bool) (level: i32) =
  let next = map (const false) frontier
  let nodes = length frontier
  let (costs, next, _) =
    loop (costs, next, any) = (costs, next, false)
    for v < nodes do
      if !frontier[v]
      then (costs, next, any)
      else loop (costs, next, any) = (costs, next, any)
           for e in g.starts[v]..<g.starts[v + 1] do
             let w = g.edges[e]
             in if costs[w] >= 0
                then (costs, next, any)
                else (costs with [w] = level, next with [w] = true, true)
  in (costs, next)

entry bfs [k] [m] (starts: [k]i64) (edges: [m]i64) (source: i64) : []i32 =
  let n = k - 1
  let g = {starts, edges}
  let costs = replicate n (-1) with [source] = 0
  let frontier = replicate n false with [source] = true
  let (costs, _, _) =
    loop (costs, frontier, level) = (costs, frontier, 1)
    while or frontier do
      let (costs, next) = visit g costs frontier level
      in (costs, next, level + 1)
  in costs

def find [n] (parents: *[n]i64) (v: i64) : (*[n]i64, i64) =
  let root = loop r = v while parents[r] != r do parents[r]
  let (parents, _) =
    loop (parents, u) = (parents, v)
    while u != root do
      let up = parents[u]
      let parents[u] = root
      in (parents, up)
  in (parents, root)

entry components [m] (n: i64) (from: [m]i64) (to: [m]i64) =
  let parents =
    loop parents = iota n
    for (a, b) in zip from to do
      let (parents, ra) = find parents a
      let (parents, rb) = find parents b
      in parents with [i64.max ra rb] = i64.min ra rb
  let parents = loop parents for v < n do (find parents v).0
  in (parents, i64.sum (map2 (\p v -> i64.bool (p == v)) parents (iota n)))

entry topological [n] (edge: [n][n]bool) : [n]i64 =
  let degrees = map (\j -> i64.sum (map (\i -> i64.bool edge[i, j]) (iota n))) (iota n)
  let (order, _) =
    loop (order, degrees) = (replicate n (-1), degrees)
    for k < n do
      let (at, _) =
        loop (at, found) = (-1, false)
        for v < n do
          if !found && degrees[v] == 0 then (v, true) else (at, found)
      let order[k] = at
      let degrees[at] = -1
      let degrees = map2 (\d j -> if edge[at, j] then d - 1 else d) degrees (iota n)
      in (order, degrees)
  in order

-- Pointer jumping; the end points to itself.
entry list_ranks [n] (next: [n]i64) : [n]i64 =
  let distance = map2 (\p i -> i64.bool (p != i)) next (iota n)
  let (distance, _) =
    loop (distance, next) for _i < 3 do
      (map2 (\d p -> d + distance[p]) distance next, map (\p -> next[p]) next)
  in distance

entry sieve (n: i64) : []i64 =
  let flags = replicate n true
  let flags[0:2] = [false, false]
  let (flags, _) =
    loop (flags, p) = (flags, 2)
    while p * p < n do
      let flags =
        if flags[p]
        then let count = (n - 1) / p - 1
             in scatter flags (map (\i -> (i + 2) * p) (iota count)) (rep false)
        else flags
      in (flags, p + 1)
  in map (.1) (filter (.0) (zip flags (iota n)))
