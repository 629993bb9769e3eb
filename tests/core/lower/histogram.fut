-- One operation with a destination per leaf.
def main [n] (is: [n](i64, i64)) (xs: [n](i32, f32)) : [3][4](i32, f32) =
  reduce_by_index_2d (replicate 3 (replicate 4 (0, 0))) (\(a, x) (b, y) -> (a + b, f32.max x y)) (0, 0) is xs
