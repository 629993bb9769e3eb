-- Breadth-first search by flatmap, filter and scatter.
-- tolerance: exact
-- ==
-- input { [0i64, 2i64, 3i64, 4i64] [2i64, 1i64, 1i64, 0i64] [1i64, 2i64, 3i64, 3i64] }
-- output { [0i32, 1i32, 1i32, 2i32] }
def expand [n] 'a 'b (sz: a -> i64) (get: a -> i64 -> b) (arr: [n]a) : []b =
  let (_, _, _, data, _) = flatmap (\x -> (map (get x) (iota (sz x)), ())) arr in data

entry main [n] [e] (starts: [n]i64) (counts: [n]i64) (edges: [e]i64) =
  let level = replicate n (-1i32) with [0] = 0
  let (level, _, _) =
    loop (level, frontier, d) = (level, [0], 1)
    while length frontier > 0 do
      let targets = expand (\v -> counts[v]) (\v i -> edges[starts[v] + i]) frontier
      let fresh = filter (\t -> level[t] < 0) targets
      in (scatter level fresh (map (const d) fresh), fresh, d + 1)
  in level
