-- k-means: counts and sums are cleared, not made, in every step.
-- in loops:
entry main [n] [d] (points: [n][d]f32) (k: i64) (steps: i64) : [k][d]f32 =
  loop centres = points[:k]
  for _i < steps do
    let nearest =
      map (\p ->
             (loop (best, at) = (f32.inf, 0)
              for j < k do
                let s = f32.sum (map2 (\x c -> (x - c) * (x - c)) p centres[j])
                in if s < best then (s, j) else (best, at)).1)
          points
    let counts = reduce_by_index (replicate k 0) (+) 0 nearest (replicate n 1i64)
    let sums = reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) nearest points
    in map2 (\s c -> map (/ f32.i64 (i64.max c 1)) s) sums counts
