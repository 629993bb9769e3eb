-- Rows of products of batches: all cells of a batch read its arrays, which are no arrays of the cell.
def main [b] [n] [m] [d] (qss: [b][n][d]f32) (kss: [b][m][d]f32) (vss: [b][m][d]f32) : [b][n][d]f32 =
  map3 (\qs ks vs ->
          map (\q ->
                 let s = map (\k -> f32.sum (map2 (*) q k)) ks
                 let top = f32.maximum s
                 let e = scan (+) 0 (map (\x -> f32.exp (x - top)) s)
                 let total = f32.sum e
                 in map (\v -> f32.sum (map2 (*) e v) / total) (transpose vs))
              qs)
       qss
       kss
       vss
