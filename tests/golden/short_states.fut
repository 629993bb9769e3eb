-- Short rows that loops of cells carry are scalars on the CPU too: cells run in lanes and allocate nothing.
-- ==
-- input { [1f64, 2f64] 3i32 }
-- output { [3f64, 4f64] }
def main [n] (xs: [n]f64) (steps: i32) : [n]f64 =
  map (\x -> (loop v = [x, 1] for _i < steps do [v[1], v[0] + v[1]])[0]) xs
