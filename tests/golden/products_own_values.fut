-- The gradient by means and scales is one product whose elements read values of their cell: it gets tiles.
def main [n] [k] [d] (points: [n][d]f32) (means: [k][d]f32) (scales: [k][d]f32) : ([k][d]f32, [k][d]f32) =
  let far p (m, s) = f32.sum (map3 (\x a b -> ((x - a) * b) ** 2) p m s)
  let f (ms, ss) = f32.sum (map (\p -> f32.sum (map (f32.sqrt <-< far p) (zip ms ss))) points)
  in vjp f (means, scales) 1
