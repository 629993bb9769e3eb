-- Graphs and dynamic programming as written by hand: levels of a graph, page rank, all shortest paths, edit distance by
-- diagonals, knapsack.

-- | Edges of a graph: `degree` for each of n vertices, to vertices that a linear congruence picks.
def target (n: i64) (v: i64) (e: i64) : i64 =
  let x = u64.i64 (v * 31 + e) * 6364136223846793005 + 1442695040888963407
  in i64.u64 (x >> 17) % n

-- ==
-- entry: levels
-- input { 100i64 3i64 }
-- notest input { 1000000i64 6i64 }

-- | Breadth-first search from vertex 0 by frontiers. Gives the sum of the levels and their number.
entry levels (n: i64) (degree: i64) : (i64, i64) =
  let unreached = -1i64
  let start = replicate n unreached with [0] = 0
  let (level, _, depth) =
    loop (level, frontier, depth) = (start, [0i64], 0i64)
    while length frontier > 0 do
      let reached =
        flatten (map (\v -> tabulate degree (target n v)) frontier)
        |> filter (\w -> level[w] == unreached)
      let level = scatter level reached (map (const (depth + 1)) reached)
      -- Of equal vertices the one that a scatter kept stays.
      let places = indices reached
      let owner = scatter (replicate n (-1)) reached places
      let frontier =
        zip places reached
        |> filter (\(i, w) -> owner[w] == i)
        |> map (.1)
      in (level, frontier, depth + 1)
  in (i64.sum level, depth)

-- ==
-- entry: page_rank
-- input { 10i64 3i64 5i32 }
-- notest input { 200000i64 8i64 20i32 }

-- | Steps of page rank; contributions meet in a histogram.
entry page_rank (n: i64) (degree: i64) (steps: i32) : f32 =
  let targets = flatten (tabulate_2d n degree (target n))
  let ranks =
    loop ranks = replicate n (1 / f32.i64 n)
    for _i < steps do
      let shares = flatten (map (\r -> replicate degree (r / f32.i64 degree)) ranks)
      let sums = hist (+) 0 n targets shares
      in map (\s -> 0.15 / f32.i64 n + 0.85 * s) sums
  in f32.maximum ranks

-- ==
-- entry: shortest_paths
-- input { 5i64 }
-- notest input { 1024i64 }

-- | Floyd and Warshall's shortest paths between all vertices. Gives their sum.
entry shortest_paths (n: i64) : i64 =
  let start = tabulate_2d n n (\i j -> if i == j then 0i32 else 1 + i32.i64 ((i * 7919 + j * 104729) % 1000))
  let paths =
    loop d = start
    for k < n do
      tabulate_2d n n (\i j -> i32.min d[i, j] (d[i, k] + d[k, j]))
  in i64.sum (map (\row -> i64.sum (map i64.i32 row)) paths)

-- ==
-- entry: edit_distance
-- input { 6i64 }
-- notest input { 4096i64 }

-- | The edit distance of two texts of n letters, diagonal by diagonal.
entry edit_distance (n: i64) : i32 =
  let a = tabulate n (\i -> u8.i64 ((i * i + 3 * i) % 23))
  let b = tabulate n (\i -> u8.i64 ((i * i + 5 * i) % 19))
  let cells = n + 1
  let (_, last) =
    loop (before, current) = (replicate cells 0i32, replicate cells 0i32)
    for d < 2 * n + 1 do
      let next =
        tabulate cells (\i ->
                          let j = d - i
                          in if j < 0 || j > n
                             then 0
                             else if i == 0
                             then i32.i64 j
                             else if j == 0
                             then i32.i64 i
                             else let change = before[i - 1] + i32.bool (a[i - 1] != b[j - 1])
                                  in i32.min change (1 + i32.min current[i - 1] current[i]))
      in (current, next)
  in last[n]

-- ==
-- entry: knapsack
-- input { 4i64 9i64 }
-- notest input { 400i64 200000i64 }

-- | The best value of `items` within a capacity.
entry knapsack (items: i64) (capacity: i64) : i32 =
  let weight i = 1 + (i * 37) % 101
  let value i = i32.i64 (1 + (i * 53) % 97)
  let best =
    loop best = replicate (capacity + 1) 0i32
    for i < items do
      let w = weight i
      let v = value i
      in map2 (\c b -> if c >= w then i32.max b (best[c - w] + v) else b)
              (iota (capacity + 1))
              best
  in best[capacity]

-- ==
-- entry: likeliest_states
-- input { 4i64 3i64 2i64 }
-- notest input { 1000i64 64i64 64i64 }

-- | The likeliest states of hidden Markov models (Viterbi), with the ways back, for a batch of sequences.
entry likeliest_states (len: i64) (states: i64) (batch: i64) : i64 =
  let trans = tabulate_2d states states (\i j -> f32.log (1 + f32.i64 ((i * 7 + j * 3) % 11)))
  let emit = tabulate_2d states 16 (\i j -> f32.log (1 + f32.i64 ((i * 5 + j * 13) % 17)))
  let seen b t = (b * 31 + t * t * 7 + t) % 16
  let better (a, i) (c, k) = if c > a then (c, k) else (a, i)
  let path b =
    let (v, back) =
      loop (v, back) = (map (\s -> emit[s, seen b 0]) (iota states), replicate len (replicate states 0))
      for t in 1..<len do
        let from j = reduce better (-f32.inf, 0) (map (\i -> (v[i] + trans[i, j], i)) (iota states))
        let best = map from (iota states)
        in (map2 (\(x, _) j -> x + emit[j, seen b t]) best (iota states), back with [t] = map (.1) best)
    let (_, last) = reduce better (-f32.inf, 0) (zip v (iota states))
    in (loop (s, acc) = (last, last) for k < len - 1 do let s = back[len - 1 - k, s] in (s, acc + s)).1
  in i64.sum (map path (iota batch))
