-- Searches as written by hand: nearest points with lists, nearest places by rounds, components of a graph, places of
-- facilities, triangles of a graph, cross sections of a Monte Carlo transport.

type p3 = [3]f32

def noise (i: i64) : f32 =
  let x = u32.i64 i * 2654435761
  let x = (x ^ (x >> 15)) * 2246822519
  in f32.u32 ((x ^ (x >> 13)) >> 8) / 16777216

def insert [k] (best: *[k](f32, i64)) (d: f32) (i: i64) : *[k](f32, i64) =
  let (best, _, _) =
    loop (best, d, i) = (best, d, i)
    for j < k do
      let (e, l) = best[j]
      in if d < e then (best with [j] = (d, i), e, l) else (best, d, i)
  in best

-- ==
-- entry: nearest_points
-- input { 20i64 3i64 4i64 }
-- notest input { 16384i64 4096i64 8i64 }

-- | The k nearest of n points for each query, in a list that each point is inserted into.
entry nearest_points (n: i64) (queries: i64) (k: i64) : i64 =
  let refs = tabulate_2d n 3 (\i d -> noise (i * 3 + d))
  let qs = tabulate_2d queries 3 (\i d -> noise (1000003 + i * 3 + d))
  let near (q: p3) =
    loop best = replicate k (f32.inf, -1)
    for i < n do
      let d = f32.sum (map2 (\a b -> (a - b) * (a - b)) q refs[i])
      in insert best d i
  in i64.sum (map (\q -> i64.sum (map (.1) (near q))) qs)

-- ==
-- entry: nearest_places
-- input { 50i64 3i64 }
-- notest input { 1048576i64 32i64 }

-- | The k nearest places, one a round.
entry nearest_places (n: i64) (k: i64) : ([k]i64, [k]f32) =
  let places = tabulate n (\i -> (f32.i64 ((i * 7919) % 18000) / 100 - 90, f32.i64 ((i * 104729) % 36000) / 100 - 180))
  let (x, y) = (30f32, 90f32)
  let dist = map (\(a, b) -> f32.sqrt ((x - a) * (x - a) + (y - b) * (y - b))) places
  let best (d, i) (e, j) = if e < d || (e == d && j < i) then (e, j) else (d, i)
  let (found, _) =
    loop (found, dist) = (replicate k (0i64, 0f32), dist)
    for r < k do
      let (d, i) = reduce_comm best (f32.inf, i64.highest) (zip dist (iota n))
      in (found with [r] = (i, d), dist with [i] = f32.inf)
  in unzip found

def rand (i: i64) : i64 = i64.u64 ((u64.i64 i * 6364136223846793005 + 1442695040888963407) >> 33)

-- ==
-- entry: components
-- input { 20i64 1i64 }
-- notest input { 1000000i64 2i64 }

-- | Connected components: labels sink along edges and are shortened.
entry components (n: i64) (degree: i64) : (i64, i64) =
  let src = tabulate (n * degree) (\e -> e / degree)
  let dst = tabulate (n * degree) (\e -> rand (e / 3) % n)
  let (label, _, rounds) =
    loop (label, changed, round) = (iota n, true, 0i64)
    while changed do
      let lower = map2 (\s d -> i64.min label[s] label[d]) src dst
      let a = reduce_by_index (copy label) i64.min i64.highest (map (\s -> label[s]) src) lower
      let b = reduce_by_index a i64.min i64.highest (map (\d -> label[d]) dst) lower
      let c = map (\l -> b[b[l]]) b
      in (c, or (map2 (!=) c label), round + 1)
  in (i64.sum (map2 (\i l -> i64.bool (i == l)) (iota n) label), rounds)

-- ==
-- entry: facilities
-- input { 20i64 4i64 5i64 }
-- notest input { 65536i64 32i64 50i64 }

-- | Clusters by opening centres that pay, one try at a time.
entry facilities (n: i64) (dim: i64) (tries: i64) : (f32, i64) =
  let points = tabulate_2d n dim (\i d -> f32.i64 ((i * 7919 + d * 104729 + i * d) % 1000) / 1000)
  let dist (a: [dim]f32) (b: [dim]f32) = f32.sum (map2 (\x y -> (x - y) * (x - y)) a b)
  let z = 10f32
  let costs = map (\p -> dist p points[0]) points
  let (assign, costs, centres) =
    loop (assign, costs, centres) = (replicate n 0i64, costs, 1i64)
    for t < tries do
      let x = (t * 3571 + 1) % n
      let candidate = points[x]
      let new = map (\p -> dist p candidate) points
      -- What each point saves by moving to x now; what closing its centre would cost it.
      let savings = map2 (\c d -> f32.min 0 (d - c)) costs new
      let lower = hist (+) 0f32 n assign (map2 (\c d -> if d < c then 0 else c - d) costs new)
      let isCentre = hist i64.max 0 n assign (replicate n 1)
      let gains = map3 (\is l i -> if is == 1 && i != x then z + l else 0) isCentre lower (iota n)
      let closes = map (> 0) gains
      let gain = z + f32.sum savings - f32.sum (map (f32.max 0) gains)
      in if gain < 0
         then let assign' = map4 (\a c d _ -> if d < c || closes[a] then x else a) assign costs new (iota n)
              let costs' = map3 (\a c d -> if d < c || closes[a] then d else c) assign costs new
              in (assign', costs', centres + 1)
         else (assign, costs, centres)
  in (f32.sum costs, centres + i64.sum assign)

-- ==
-- entry: triangles
-- input { 12i64 4i64 }
-- notest input { 65536i64 32i64 }

-- | Triangles of a graph: rows are sorted by swaps, common members counted by merging.
entry triangles (n: i64) (degree: i64) : i64 =
  let rows = tabulate_2d n degree (\v e -> (v + 1 + e * (1 + v % 5)) % n)
  let rows =
    map (\r ->
           loop r = copy r
           for i < degree - 1 do
             loop r for j < degree - 1 - i do
               if r[j] > r[j + 1] then let t = r[j] let u = r[j + 1] let r = r with [j] = u in r with [j + 1] = t else r)
        rows
  let common (a: [degree]i64) (b: [degree]i64) =
    let (c, _, _) =
      loop (c, i, j) = (0i64, 0i64, 0i64)
      while i < degree && j < degree do
        if a[i] == b[j] then (c + 1, i + 1, j + 1) else if a[i] < b[j] then (c, i + 1, j) else (c, i, j + 1)
    in c
  in i64.sum (map (\v -> i64.sum (map (\w -> if w > v then common rows[v] rows[w] else 0) rows[v])) (iota n))

def lcg (s: u64) : u64 = s * 2862933555777941757 + 3037000493
def fraction (s: u64) : f64 = f64.u64 (s >> 11) / 9007199254740992

-- ==
-- entry: cross_sections
-- input { 4i64 6i64 20i64 }
-- notest input { 68i64 2000i64 200000i64 }

-- | Sums over the nuclides of a material at energies found by binary search.
entry cross_sections (nuclides: i64) (points: i64) (lookups: i64) : u64 =
  let energy k i = (f64.i64 i + fraction (lcg (u64.i64 (k * points + i)))) / f64.i64 points
  let energies = tabulate_2d nuclides points energy
  let sections = tabulate_3d nuclides points 5 (\k i c -> fraction (lcg (u64.i64 ((k * points + i) * 5 + c))))
  let all = f64.sort (flatten energies)
  let total = nuclides * points
  let search (es: []f64) (e: f64) (n: i64) =
    let (lo, _) =
      loop (lo, hi) = (0i64, n - 1)
      while hi - lo > 1 do
        let mid = lo + (hi - lo) / 2
        in if es[mid] > e then (lo, mid) else (mid, hi)
    in lo
  let index = map (\e -> map (\k -> i32.i64 (search energies[k] e points)) (iota nuclides)) all
  let material r = if r < 0.14 then 0i64 else if r < 0.2 then 1 else if r < 0.5 then 2 else 3
  let counts = [nuclides, i64.max 1 (nuclides / 4), i64.max 1 (nuclides / 8), i64.max 1 (nuclides / 2)]
  let lookup i =
    let s = lcg (u64.i64 (i * 7 + 1))
    let e = fraction s
    let m = material (fraction (lcg s))
    let at = search all e total
    let macro =
      loop macro = replicate 5 0f64
      for j < counts[m] do
        let k = (j * 7 + m) % nuclides
        let low = i64.i32 index[at, k]
        let high = i64.min (points - 1) (low + 1)
        let (e0, e1) = (energies[k, low], energies[k, high])
        let f = if e1 > e0 then (e1 - e) / (e1 - e0) else 0
        in map2 (\c acc -> acc + (sections[k, high, c] - f * (sections[k, high, c] - sections[k, low, c])) * (0.1 + f64.i64 (j % 3))) (iota 5) macro
    let (_, best) = loop (v, b) = (-1f64, 0i64) for c < 5 do if macro[c] > v then (macro[c], c) else (v, b)
    in u64.i64 (best + 1)
  in reduce (+) 0 (map lookup (iota lookups))

def xorshift (s: u32) : u32 =
  let s = s ^ (s << 13)
  let s = s ^ (s >> 17)
  in s ^ (s << 5)

-- ==
-- entry: evolution
-- input { 20i64 6i64 3i32 }
-- notest input { 8192i64 64i64 100i32 }

-- | A population of vectors: the better of two as each parent, crossed at a place, one number changed. The best stays.
entry evolution (n: i64) (m: i64) (rounds: i32) : f32 =
  let start = tabulate_2d n m (\i j -> f32.u32 (xorshift (u32.i64 (i * m + j + 1)) % 1000) / 100 - 5)
  let cost (xs: [m]f32) = f32.sum (map (\x -> (x - 1) * (x - 1) * (x + 2)) xs) |> f32.abs
  let (last, _) =
    loop (vectors, seeds) = (start, map (\i -> xorshift (u32.i64 i + 77)) (iota n))
    for _r < rounds do
      let costs = map cost vectors
      let pick s =
        let (a, b) = (i64.u32 (s % u32.i64 n), i64.u32 ((s >> 8) % u32.i64 n))
        in if costs[a] < costs[b] then a else b
      let ones = map xorshift seeds
      let others = map xorshift ones
      let seeds = map xorshift others
      let next =
        map3 (\s t u ->
                let (a, b) = (pick s, pick t)
                let row = map3 (\j x y -> if j < i64.u32 u % m then x else y) (iota m) vectors[a] vectors[b]
                in row with [i64.u32 (u >> 9) % m] = f32.u32 (u >> 20) / 409.6 - 5)
             ones
             others
             seeds
      let best = reduce (\a b -> if costs[a] < costs[b] || (costs[a] == costs[b] && a < b) then a else b) 0 (iota n)
      in (next with [0] = copy vectors[best], seeds)
  in f32.minimum (map cost last)
