-- Scalar code behind a reduction runs in the reduction's kernel; a second reduction reads the first one's totals.
def main [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) (c: [p]f32) =
  let activated =
    map (\ar -> map2 (\bc x -> f32.max 0 (f32.sum (map2 (*) ar bc) + x)) (transpose b) c) a
  let log_sums =
    map (\r ->
           let k = f32.maximum r
           in k + f32.log (f32.sum (map (\x -> f32.exp (x - k)) r)))
        activated
  in (activated, log_sums)
