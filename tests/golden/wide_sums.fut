-- Sums of up to sixteen words are taken by workgroups in chunks, those of more by runs of invocations.
def main [n] (xs: [n]f64) (ys: [n]f64) : (f64, f64, f64, f64, f64, f64, f64, f64) =
  let add (a, b, c, d, e, f, g, h) (a', b', c', d', e', f', g', h') =
    (a + a', b + b', c + c', d + d', e + e', f + f', g + g', h + h')
  in reduce add (0, 0, 0, 0, 0, 0, 0, 0) (map2 (\x y -> (x, y, x * x, x * y, y * y, x + y, x - y, y * x * x)) xs ys)
