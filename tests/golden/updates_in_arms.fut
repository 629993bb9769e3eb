-- Rows of best predecessors, which two versions of a nest make: in the arm of the one and in that of the
-- other, the kernel that makes a row stores it.

def main [s] [k] (obs: []i64) (trans: [s][s]f32) (emit: [s][k]f32) (p: [s]f32) : [][s]i64 =
  let better (a, i) (b, j) = if a > b || (a == b && i < j) then (a, i) else (b, j)
  let (_, back) =
    loop (p, back) = (p, map (const (replicate s 0)) obs)
    for l < length obs do
      let best j =
        reduce better (-f32.inf, s) (map2 (\i q -> (q + trans[i, j], i)) (iota s) p)
      let (ps, bs) = unzip (tabulate s best)
      in (map2 (\j q -> q + emit[j, obs[l]]) (iota s) ps, back with [l] = bs)
  in back
