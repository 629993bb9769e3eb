-- Reductions of reductions, level by level or the inner one whole by sizes; rows of a histogram
-- behind the map of their places; a scalar that branches of the host leave on the device. Cells that
-- return one of two totals.

def sums [a] [b] [c] (xs: [a][b][c]f32) : f32 =
  f32.sum (map (\x -> f32.sum (map f32.sum x)) xs)

def clusters [n] [k] [d] (centres: [k][d]f32) (points: [n][d]f32) : [k][d]f32 =
  let place p = i64.f32 (f32.sum (map2 (*) p centres[0])) % k
  in reduce_by_index (replicate k (replicate d 0))
                     (map2 (+))
                     (replicate d 0)
                     (map place points)
                     points

def nearest [n] [k] [d] (centres: [k][d]f32) (points: [n][d]f32) : [n]i64 =
  let distance p c = f32.sum (map2 (\x y -> (x - y) * (x - y)) p c)
  let least (a, i) (b, j) = if a <= b then (a, i) else (b, j)
  in map (\p -> (reduce least (f32.inf, -1) (zip (map (distance p) centres) (iota k))).1) points

def chosen [n] (k: i64) (xs: [n]i32) : [n]i32 =
  let s = if k > 2 then i32.sum xs else i32.maximum xs
  in map (+ s) xs

def main [a] [b] [c] (k: i64) (xs: [a][b][c]f32) (centres: [][c]f32) (ys: []i32) =
  (sums xs, clusters centres (flatten xs), nearest centres (flatten xs), chosen k ys)
