-- Soft maxima: the derivative by their temperature, which the operator reads beside its operands.
def soft (t: f64) (a: f64) (b: f64) : f64 = f64.max a b + t * f64.log1p (f64.exp (-(f64.abs (a - b)) / t))

-- ==
-- entry: by_t by_t_scan by_t_r by_t_hist
-- input { [0.3, -1.2, 2.5, 0.7] 2.0 }
-- input { [0.3] 2.0 }
entry by_t [n] (xs: [n]f64) (t: f64) : f64 = jvp (\t -> reduce (soft t) (-1000) xs) t 1
entry by_t_r [n] (xs: [n]f64) (t: f64) : f64 = vjp (\t -> reduce (soft t) (-1000) xs) t 1
entry by_t_scan [n] (xs: [n]f64) (t: f64) : [n]f64 = jvp (\t -> scan (soft t) (-1000) xs) t 1
entry by_t_hist [n] (xs: [n]f64) (t: f64) : [2]f64 = jvp (\t -> reduce_by_index (replicate 2 (-1000)) (soft t) (-1000) (map (% 2) (iota n)) xs) t 1
