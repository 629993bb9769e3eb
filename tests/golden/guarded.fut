-- A loop that ends when a kernel says so, and carries a scalar that only kernels look at.

entry main [n] (xs: [n]f32) : [n]f32 =
  (loop (xs, step) = (xs, 1f32)
   while f32.maximum xs < 100 do
     let ys = map (+ step) xs
     in (ys, f32.minimum ys)).0
