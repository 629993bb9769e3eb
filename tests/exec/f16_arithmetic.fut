-- Half precision: literals, arithmetic, conversion.
-- ==
-- input { [1.5f16, 2f16] }
-- output { [4f16, 5f16] 9f32 }
def main (xs: []f16) : ([]f16, f32) =
  let ys = map (\x -> x * 2 + 1) xs
  in (ys, f32.f16 (f16.sum ys))
