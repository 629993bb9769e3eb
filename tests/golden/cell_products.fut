-- Rows of products of all cells: a workgroup has a cell only where tiles would save little.
def main [n] [m] [d] (qs: [n][d]f32) (ks: [m][d]f32) (vs: [m][d]f32) : [n][d]f32 =
  map (\q ->
         let s = map (\k -> f32.sum (map2 (*) q k)) ks
         let top = f32.maximum s
         let e = scan (+) 0 (map (\x -> f32.exp (x - top)) s)
         let total = f32.sum e
         in map (\v -> f32.sum (map2 (*) e v) / total) (transpose vs))
      qs
