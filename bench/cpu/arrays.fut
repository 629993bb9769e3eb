-- Reductions, scans, histograms, sorting: against arrays.cpp by bench/cpu/run.

-- ==
-- entry: dot
-- "dot" random input { [4194304]f32 [4194304]f32 }
entry dot [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)

-- ==
-- entry: dot_cached
-- "dot_cached" random input { [4096]f32 [4096]f32 }
entry dot_cached [n] (xs: [n]f32) (ys: [n]f32) : f32 =
  (loop (s, k) = (0, 0f32) for _i < 1000i32 do (s + f32.sum (map2 (\x y -> x * (y + k)) xs ys), k + 1)).0

-- ==
-- entry: sum_f32
-- "sum_f32" random input { [4194304]f32 }
entry sum_f32 [n] (xs: [n]f32) : f32 = f32.sum xs

-- ==
-- entry: sum_i32
-- "sum_i32" random input { [4194304]i32 }
entry sum_i32 [n] (xs: [n]i32) : i32 = i32.sum xs

-- ==
-- entry: max_f32
-- "max_f32" random input { [4194304]f32 }
entry max_f32 [n] (xs: [n]f32) : f32 = f32.maximum xs

-- ==
-- entry: argmax
-- "argmax" random input { [4194304]f32 }
entry argmax [n] (xs: [n]f32) : (f32, i64) =
  reduce_comm (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j))
              (-f32.inf, -1)
              (zip xs (iota n))

-- ==
-- entry: column_sums
-- "column_sums" random input { [2048][2048]f32 }
entry column_sums [n] [m] (xs: [n][m]f32) : [m]f32 = map f32.sum (transpose xs)

-- ==
-- entry: scan_i32
-- "scan_i32" random input { [4194304]i32 }
entry scan_i32 [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs

-- ==
-- entry: scan_f32
-- "scan_f32" random input { [4194304]f32 }
entry scan_f32 [n] (xs: [n]f32) : [n]f32 = scan (+) 0 xs

-- ==
-- entry: segmented_scan
-- "segmented_scan" random input { [4194304]i32 }
entry segmented_scan [n] (xs: [n]i32) : [n]i32 =
  map (.1) (scan (\(f, x) (g, y) -> (f || g, if g then y else x + y))
                 (false, 0)
                 (map (\x -> ((x & 15) == 0, x)) xs))

def histogram (bins: i64) (xs: []u32) : [bins]i32 =
  reduce_by_index (replicate bins 0)
                  (+)
                  0
                  (map (\x -> i64.u32 ((x >> 4) % u32.i64 bins)) xs)
                  (map (const 1) xs)

-- ==
-- entry: hist16
-- "hist16" random input { [4194304]u32 }
entry hist16 (xs: []u32) = histogram 16 xs

-- ==
-- entry: hist4096
-- "hist4096" random input { [4194304]u32 }
entry hist4096 (xs: []u32) = histogram 4096 xs

-- ==
-- entry: hist1000000
-- "hist1000000" random input { [4194304]u32 }
entry hist1000000 (xs: []u32) = histogram 1000000 xs

-- ==
-- entry: radix_sort
-- "radix_sort" random input { [1048576]u32 }
entry radix_sort [n] (xs: [n]u32) : [n]u32 =
  loop xs for b < 32i32 do
    let ones = map (\x -> i64.u32 ((x >> u32.i32 b) & 1)) xs
    let ones_so_far = scan (+) 0 ones
    let zeros_so_far = scan (+) 0 (map (1 -) ones)
    let all_zeros = i64.sum (map (1 -) ones)
    let places =
      map3 (\one o z -> if one == 1 then all_zeros + o - 1 else z - 1)
           ones
           ones_so_far
           zeros_so_far
    in scatter (replicate n 0) places xs

-- ==
-- entry: filter_half
-- "filter_half" random input { [4194304]i32 }
entry filter_half (xs: []i32) : []i32 = filter (\x -> x % 2 == 0) xs

-- ==
-- entry: permute
-- "permute" random input { [1048576]u32 }
entry permute [n] (xs: [n]u32) : [n]u32 =
  let places = map (\i -> (i * 514229) % n) (iota n)
  in scatter (replicate n 0) places xs

-- Breadth-first search of a graph where each node has four pseudo-random neighbours, level by level.
-- ==
-- entry: bfs
-- "bfs" random input { [1048576]u32 }
entry bfs [n] (seeds: [n]u32) : [n]i32 =
  let neighbour (v: i64) (k: i64) = i64.u32 (seeds[v] * (2 * u32.i64 k + 1) + u32.i64 (k * 977)) % n
  let start = tabulate n (\i -> if i == 0 then 0 else -1)
  let (depths, _, _) =
    loop (depths: *[n]i32, frontier, level) = (start, [0i64], 1i32)
    while length frontier > 0 do
      let reached = flatten (map (\v -> tabulate 4 (neighbour v)) frontier)
      let new = filter (\w -> depths[w] < 0) reached
      let owner = scatter (replicate n (-1)) new (indices new)
      let next = map (.0) (filter (\(w, i) -> owner[w] == i) (zip new (indices new)))
      in (scatter depths next (map (const level) next), next, level + 1)
  in depths
