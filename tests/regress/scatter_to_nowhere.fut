-- Places that are known to lie outside: a store behind a check that always fails, with a negative
-- constant index, which GLSL rejects.
-- ==
-- input { [1i32, 2i32] } output { empty([0]i32) [1i32, 2i32] }
def main [n] (xs: [n]i32) : ([]i32, [n]i32) =
  (filter (\_ -> false) xs, scatter (copy xs) (map (const (-1)) xs) (map (+ 1) xs))
