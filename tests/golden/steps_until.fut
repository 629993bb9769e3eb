-- A loop that ends by an element of its array: a kernel reads it, and the host starts steps ahead.

entry main [n] (xs: [n]f32) : [n]f32 =
  loop xs while xs[0] < 100 do map (* 2) xs
