-- A loop that the host ends: it reads an element after each step.

entry main [n] (xs: [n]f32) : [n]f32 =
  loop xs while xs[0] < 100 do map (* 2) xs
