-- Checks in a loop that ends when a kernel says so: one of what the host knows is launched only
-- where it fails, one of what the device knows always.

entry main [n] (k: i64) (xs: [n]f32) : [n]f32 =
  loop xs while f32.maximum xs < 100 do
    let least = f32.minimum xs
    let ys = assert (k > 2) (map (+ least) xs)
    in assert (least > 0) (map (* 1.5) ys)
