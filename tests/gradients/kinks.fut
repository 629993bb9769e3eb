-- Operators with kinks: largest sums of neighbours, extremes by magnitudes, soft extremes. At these numbers all is smooth.
def joined (a: (f64, f64, f64, f64)) (b: (f64, f64, f64, f64)) : (f64, f64, f64, f64) =
  ( f64.max (f64.max a.0 b.0) (a.2 + b.1)
  , f64.max a.1 (a.3 + b.1)
  , f64.max b.2 (b.3 + a.2)
  , a.3 + b.3
  )

-- ==
-- entry: largest_sum extremes soft_maxima
-- input { [0.3, -1.2, 2.5, 0.7, -0.1] }
entry largest_sum [n] (xs: [n]f64) : f64 =
  (reduce joined (0, 0, 0, 0) (map (\x -> let y = f64.max x 0 in (y, y, y, x)) xs)).0

entry extremes [n] (xs: [n]f64) : f64 =
  reduce (\a b -> (a + b + f64.abs (a - b)) / 2) (-100) xs * reduce (\a b -> (a + b - f64.abs (a - b)) / 2) 100 xs

entry soft_maxima [n] (xs: [n]f64) : [n]f64 =
  scan (\a b -> f64.max a b + f64.log1p (f64.exp (-(f64.abs (a - b))))) (-1000) xs
